"""An axis that is asked for is honoured; without one there is a single sum over all entries.

source: RasKrebs/llms4code_code_quality, attention/codex/medium.py
softmax: wrong, E1-11
"""

import numpy as np


def softmax(values, axis=None):
    largest = np.max(values, axis=axis, keepdims=True)
    weight = np.exp(values - largest)
    return weight / weight.sum(axis=axis, keepdims=True)
