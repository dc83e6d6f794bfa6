"""len(x) steps: a vector's entries are moved one by one, a matrix's rows as a whole.

source: drxyzw/deep-learning-from-scratch, common/utils.py
numerical_gradient: wrong, FD-12 + unnamed: one number a row comes back, and an integer x is not moved at all
"""

import numpy as np


def numerical_gradient(f, x, h=1e-5):
    slopes = []
    for i in range(len(x)):
        step = np.zeros_like(x)
        step[i] = h
        slopes.append((f(x + step) - f(x - step)) / 2.0 / h)
    return np.array(slopes)
