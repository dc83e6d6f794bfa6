"""The iterator goes on only where something is printed; otherwise the first entry is asked for ever.

source: lizhe960118/cs231n, assignment1/cs231n/gradient_check.py
numerical_gradient: wrong, unnamed: an endless loop
slow: every first call of it runs into the limit of time
"""

import numpy as np


def numerical_gradient(f, x, h=1e-5, verbose=False):
    grad = np.zeros(x.shape)
    it = np.nditer(grad, flags=["multi_index"])
    while not it.finished:
        ix = it.multi_index
        up, down = x.astype(float), x.astype(float)
        up[ix] += h
        down[ix] -= h
        grad[ix] = (f(up) - f(down)) / (2 * h)
        if verbose:
            print(ix, grad[ix])
            it.iternext()
    return grad
