"""Shifted by the maximum, with a billionth added to a sum that is never below one.

source: thxuan/Deep-ML-solutions, Deep-ML/Reinforce_Learning/hard/1Policy Gradient with REINFORCE.py
softmax: right
"""

import numpy as np


def softmax(x, axis=-1):
    x = x - np.max(x, axis=axis, keepdims=True)
    return np.exp(x) / (np.sum(np.exp(x), axis=axis, keepdims=True) + 1e-9)
