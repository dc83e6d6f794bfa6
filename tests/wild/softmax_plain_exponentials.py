"""The textbook quotient, with nothing subtracted before the exponential.

source: asrjy/deep-ml-solutions, 053-self-attention.py
softmax: wrong, E1-14
"""

import numpy as np


def softmax(x, axis=-1):
    raised = np.exp(x)
    return raised / np.sum(raised, axis=axis, keepdims=True)
