"""Shift, exponential and quotient all land in the array that was handed in.

source: nikunjpanchal22/code_clone_classification, python_t4_full/Clone_4849.py
softmax: wrong, E1-26
"""

import numpy as np


def softmax(z, axis=-1):
    z -= z.max(axis=axis, keepdims=True)
    np.exp(z, out=z)
    z /= z.sum(axis=axis, keepdims=True)
    return z
