"""Everything becomes a matrix first, and axes of length one are squeezed away at the end.

source: haolamnm/TensorTonic-Solutions, softmax-function/softmax-function.py
softmax: wrong, E1-74 + unnamed: axis 1 wherever there are two; a single row comes back as a vector
"""

import numpy as np


def softmax(x, axis=-1):
    table = np.atleast_2d(x)
    upper = np.exp(table - np.max(table))
    lower = np.sum(upper, axis=1, keepdims=True)
    return np.atleast_1d((upper / lower).squeeze())
