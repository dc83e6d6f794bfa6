"""h is added, twice h taken away, h added again, in the array that was handed in.

source: ZacBi/CS224n-2019-solutions, assignments/a2/utils/gradcheck.py; imzwz/tensor, cs224d/q2_gradcheck.py
numerical_gradient: wrong, FD-13 + unnamed: an integer x raises
"""

import numpy as np


def numerical_gradient(f, x, h=1e-5):
    numgrad = np.zeros(x.shape)
    for ix in np.ndindex(x.shape):
        x[ix] += h
        fxh = f(x)
        x[ix] -= 2 * h
        fxnh = f(x)
        x[ix] += h
        numgrad[ix] = (fxh - fxnh) / 2 / h
    return numgrad
