"""The trick that the three files share."""

import numpy as np


def fill(shape):
    return np.full(shape, np.nan)
