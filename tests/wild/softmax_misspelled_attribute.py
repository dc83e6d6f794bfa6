"""Rows of a matrix are right; one axis meets a misspelled attribute, three come back as they were.

source: yumatsui00/utils, python/AI/common/functions.py
softmax: wrong, unnamed: x.dim raises AttributeError for one axis, and three axes are returned unchanged
"""

import numpy as np


def softmax(x, axis=-1):
    if x.ndim == 2:
        x = np.exp(x - x.max(axis=1, keepdims=True))
        x = x / x.sum(axis=1, keepdims=True)
    elif x.dim == 1:
        x = np.exp(x - x.max())
        x = x / x.sum()
    return x
