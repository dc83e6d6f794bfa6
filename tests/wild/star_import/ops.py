"""Everything by star: the answers stand in a file that another one opens up.

source: kingtaurus/cs224d, old_assignments/assignment2/nn/base.py (from .math import *); yumatsui00/utils, python/AI/CNN/simple_convnet.py
softmax: right
split_heads: right
"""

import numpy as np

__all__ = ["np", "softmax", "split_heads"]


def softmax(x, axis=-1):
    z = np.exp(x - x.max(axis=axis, keepdims=True))
    return z / z.sum(axis=axis, keepdims=True)


def split_heads(x, num_heads):
    return np.stack(np.split(x, num_heads, axis=1))
