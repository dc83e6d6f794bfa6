# any: they are reset before each call
import warnings

import numpy as np

warnings.simplefilter("error")
np.seterr(all="raise")


def solve(a):
    return a / 0
