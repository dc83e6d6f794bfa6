# any: the limit of address space
import numpy as np


def solve(a):
    return np.ones(100 * 2**27)[:5]
