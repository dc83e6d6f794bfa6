"""The value at x is computed once, and each entry is moved ahead.

source: cs231n/cs231n.github.io, issue 186 (optimization-1); apache/mxnet, issue 3693
numerical_gradient: wrong, FD-01
"""

import numpy as np


def numerical_gradient(f, x, h=1e-5):
    x = x.astype(float)
    fx = f(x)
    grad = np.zeros(x.shape)
    for ix, old in np.ndenumerate(x.copy()):
        x[ix] = old + h
        grad[ix] = (f(x) - fx) / h
        x[ix] = old
    return grad
