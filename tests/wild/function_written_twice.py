"""The overflowing version first, with what it does; the better one further down has the same name.

source: chocopie116/zero-deep-learning, chap3/3_5_softmax_overflow.py
softmax: right
"""

import numpy as np

a = np.array([1010, 1000, 990])


def softmax(x, axis=-1):
    return np.exp(x) / np.sum(np.exp(x), axis=axis, keepdims=True)


with np.errstate(all="ignore"):
    print(softmax(a))  # nan nan nan


def softmax(x, axis=-1):
    c = np.max(x, axis=axis, keepdims=True)
    grown = np.exp(x - c)
    return grown / np.sum(grown, axis=axis, keepdims=True)


print(softmax(a))
