"""x.size steps with one index each: beyond a vector the index runs out.

source: tnqjae/DeepLearningFromScratch, Chapter4/GradientEx.py; kentoooo/deep-lerning-from-scratch, 04/numerical_gradient.py
numerical_gradient: wrong, unnamed: x[idx] for idx < x.size raises IndexError for more than one axis
"""

import numpy as np


def numerical_gradient(f, x, h=1e-5):
    x = x.astype(float)
    grad = np.zeros_like(x)
    for idx in range(x.size):
        value = x[idx]
        x[idx] = value + h
        first = f(x)
        x[idx] = value - h
        second = f(x)
        grad[idx] = (first - second) / (2 * h)
        x[idx] = value
    return grad
