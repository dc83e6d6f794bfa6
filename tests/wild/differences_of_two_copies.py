"""Two float copies for each entry, one ahead and one behind.

source: MoiseRousseau/HydrOpTop, tests/units/derivatives/utils.py
numerical_gradient: right
"""

import numpy as np


def numerical_gradient(f, p, eps=1e-5):
    grad = np.zeros(p.shape)
    for i in np.ndindex(*p.shape):
        x1, x2 = p.astype(float), p.astype(float)
        x1[i] += eps
        x2[i] -= eps
        grad[i] = (f(x1) - f(x2)) / (2 * eps)
    return grad
