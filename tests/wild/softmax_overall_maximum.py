"""Rows have their own sums, but one maximum is taken over everything.

source: RasKrebs/llms4code_code_quality, attention/wizardcoder/long.py
softmax: wrong, E1-15
"""

import numpy as np


def softmax(x, axis=-1):
    top = np.max(x)
    grown = np.exp(x - top)
    return grown / grown.sum(axis=axis, keepdims=True)
