# any: the size is looked at before a copy is made
import numpy as np


def solve(a):
    return np.broadcast_to(a, (1 << 40, 5))
