"""Imports from the years when code ran under Python 2 and 3; the library past is not here.

source: cs231n/cs231n.github.io, assignment1/cs231n/gradient_check.py
numerical_gradient: right
"""

from __future__ import print_function

from builtins import range
from random import randrange

from past.builtins import xrange

import numpy as np


def numerical_gradient(f, x, h=0.00001):
    at = x.astype(np.float64).ravel()
    grad = np.zeros_like(at)
    for i in range(at.size):
        old = at[i]
        at[i] = old + h
        plus = f(at.reshape(x.shape))
        at[i] = old - h
        minus = f(at.reshape(x.shape))
        at[i] = old
        grad[i] = (plus - minus) / (2 * h)
    return grad.reshape(x.shape)
