"""The last axis is spelled x.ndim - 1, and the axis that was asked for is never looked at.

source: kingtaurus/cs224d, assignment1/q1_softmax.py
softmax: wrong, E1-41
"""

import numpy as np


def softmax(x, axis=-1):
    last = x.ndim - 1
    c = np.max(x, axis=last, keepdims=True)
    z = np.sum(np.exp(x - c), axis=last, keepdims=True)
    return np.exp(x - c) / z
