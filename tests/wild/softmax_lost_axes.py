"""Neither the maximum nor the sum keeps its axis, so both meet the columns.

source: nikunjpanchal22/code_clone_classification, python_t4_full/Clone_2272.py
softmax: wrong, E1-44
"""

import numpy as np


def softmax(z, axis=-1):
    lowered = np.subtract(z, np.amax(z, axis=axis))
    up = np.exp(lowered)
    return np.divide(up, np.sum(up, axis=axis))
