"""Two cases, written apart, that come to the same: always the last axis.

source: tor1968uy/TensorTonic-Solutions, softmax-function/softmax-function.py
softmax: wrong, E1-41
"""

import numpy as np


def softmax(x, axis=-1):
    x = np.array(x)
    if x.ndim == 1:
        e = np.exp(x - np.max(x))
        bottom = np.sum(e)
    else:
        e = np.exp(x - np.max(x, axis=-1, keepdims=True))
        bottom = np.sum(e, axis=-1, keepdims=True)
    return e / bottom
