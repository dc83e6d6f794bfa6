# any: shapes travel as they are, or not at all
import numpy as np
from numpy.lib.stride_tricks import as_strided


def solve(a):
    return [
        np.float64(1.0),
        np.array(2.0),
        np.zeros((0, 3)),
        np.zeros((2, 0, 5)),
        a[::-1],
        a.reshape((1,) * 31 + (5,)),
        a.reshape((1,) * 40 + (5,)),
        as_strided(a, (5, 5), (-8, 8))[:0],
        np.broadcast_to(a, (1 << 40, 5)),
        np.empty((1 << 58, 0)),
        a.view("V8"),
        a.view(">f8"),
    ]
