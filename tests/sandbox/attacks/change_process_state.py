# any: the next submission has a process of its own
import decimal
import locale
import os
import random
import warnings

import numpy as np

os.chdir("/")
os.umask(0o777)
try:
    locale.setlocale(locale.LC_ALL, "C")
except locale.Error:
    pass
np.seterr(all="raise")
np.random.seed(1)
random.seed(1)
np.set_printoptions(precision=1)
warnings.simplefilter("error")
decimal.getcontext().prec = 1
os.environ["PYTHONHASHSEED"] = "1"


def solve(a):
    return a * 0
