"""The trick that the three files share."""

import numpy as np


def fill(shape):
    return np.float64(0.5)
