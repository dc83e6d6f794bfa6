"""Two folders down, a file imports what lies beside it, and the file has the name of its function.

source: eliben/deep-learning-samples, transformer-attention/selfattention.py (from softmax import ...)
softmax: right
attention: right
"""

import numpy as np


def softmax(x, axis=-1):
    ex = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return ex / np.sum(ex, axis=axis, keepdims=True)
