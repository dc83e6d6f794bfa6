# any: object arrays travel as numbers or not at all
import os

import numpy as np


class Boom:
    def __reduce__(self):
        return os.system, ("touch @STAGE@/escaped",)


def solve(a):
    return np.array([Boom()] * 5, dtype=object)
