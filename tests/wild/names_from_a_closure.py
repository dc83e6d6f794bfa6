"""Functions that make functions: an axis is closed over, a scale is decided once.

source: its-wasp/GPT2-from-scratch-numpy, rmk/functional.py (closures made in each call)
softmax: right
attention: right
"""

import functools

import numpy as np


def make_softmax(default):
    def inner(x, axis=default):
        e = np.exp(x - x.max(axis=axis, keepdims=True))
        return e / e.sum(axis=axis, keepdims=True)

    return inner


def attend(scale_of, Q, K, V):
    weights = softmax(Q @ K.T * scale_of(K))
    return weights @ V, weights


softmax = make_softmax(-1)
attention = functools.partial(attend, lambda K: K.shape[1] ** -0.5)
