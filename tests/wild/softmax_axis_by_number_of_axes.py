"""The axis follows from the number of axes: a vector as a whole, anything else along its second axis.

source: biswajitpatgiri41-rgb/TensorTonic-Solutions, softmax-function/softmax-function.py
softmax: wrong, no code yet: the axis is chosen by x.ndim and the argument is ignored
misnamed: axis chosen by the number of axes has no code (E1-42 raises on a vector)
"""

import numpy as np


def softmax(x, axis=-1):
    x = np.array(x, dtype=float)
    if x.ndim == 1:
        x = np.exp(x - np.max(x))
        return x / np.sum(x)
    lifted = np.exp(x - np.max(x, axis=1, keepdims=True))
    return lifted / np.sum(lifted, axis=1, keepdims=True)
