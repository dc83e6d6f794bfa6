# full: Landlock
import os

import numpy as np


def solve(a):
    for top in ("@ROOT@/grader", "@ROOT@"):
        if os.path.isdir(top) and os.listdir(top):
            with open("@STAGE@/outside.txt", "a") as file:
                file.write(f"could list {top}")
    return np.asarray(os.listdir("@ROOT@/grader/sandbox"))
