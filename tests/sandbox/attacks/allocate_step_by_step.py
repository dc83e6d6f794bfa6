# any: the limit of address space
import numpy as np


def solve(a):
    keep = [np.ones(8 << 20) for _ in range(200)]  # bounded: 12.5 GiB
    return keep[0][:5]
