"""A derivative to be filled in some day: ones of the shape of the input.

source: aew61/mlpy, src/mlpy/activation_functions/softmax.py
softmax_jacobian: wrong, unnamed: ones of the shape of z
"""

import numpy as np


def softmax_jacobian(X):
    return np.ones(X.shape)
