"""The trick that the three files share."""

import numpy as np


def fill(shape):
    return np.ma.masked_all(shape)
