"""x is moved in place and put back, and the result is laid out like x: whole numbers stay whole.

source: oreilly-japan/deep-learning-from-scratch, issue 51 (common/gradient.py); eliben/deep-learning-samples, gradients/numgrad.py
numerical_gradient: wrong, FD-16: an integer x is moved in place and the result is an integer array
"""

import numpy as np


def numerical_gradient(f, x, h=1e-5):
    grad = np.zeros_like(x)
    it = np.nditer(x, flags=["multi_index"], op_flags=["readwrite"])
    while not it.finished:
        ix = it.multi_index
        kept = x[ix]
        x[ix] = float(kept) + h
        ahead = f(x)
        x[ix] = float(kept) - h
        behind = f(x)
        grad[ix] = (ahead - behind) / (2 * h)
        x[ix] = kept
        it.iternext()
    return grad
