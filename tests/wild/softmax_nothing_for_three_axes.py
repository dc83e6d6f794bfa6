"""Branches for one and for two axes; with three of them the function falls off its end.

source: thalay1817-hub/TensorTonic-Solutions, softmax-function/softmax-function.py
softmax: wrong, E1-74: the axis is chosen by x.ndim, and None comes back for three axes
misnamed: the None for three axes hides the axis
"""

import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    if x.ndim == 1:
        e = np.exp(x - x.max())
        return e / e.sum()
    if x.ndim == 2:
        e = np.exp(x - x.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)
