"""The shares of one grand total, whatever the shape, and nothing subtracted.

source: koyahi/study, 2016/11a_deep_learning_from_scratch/03/softmax.py
softmax: wrong, E1-11 + E1-14
"""

import numpy as np


def softmax(x, axis=-1):
    powers = np.exp(x)
    total = np.sum(powers)
    return powers / total
