"""The axis follows from the number of axes: a vector as a whole, anything else along its second axis.

source: biswajitpatgiri41-rgb/TensorTonic-Solutions, softmax-function/softmax-function.py
softmax: wrong, E1-74: the axis is chosen by x.ndim and the argument is ignored
"""

import numpy as np


def softmax(x, axis=-1):
    x = np.array(x, dtype=float)
    if x.ndim == 1:
        x = np.exp(x - np.max(x))
        return x / np.sum(x)
    lifted = np.exp(x - np.max(x, axis=1, keepdims=True))
    return lifted / np.sum(lifted, axis=1, keepdims=True)
