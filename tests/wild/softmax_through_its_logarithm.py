"""The logarithm first, by the shifted log-sum-exp, then the exponential of that.

source: thealper2/deep-ml-solutions, projects/Direct Preference Optimization (DPO) from Scratch/001_log_softmax.py
softmax: right
"""

import numpy as np


def log_softmax(logits, axis):
    peak = np.max(logits, axis=axis, keepdims=True)
    return logits - (peak + np.log(np.sum(np.exp(logits - peak), axis=axis, keepdims=True)))


def softmax(logits, axis=-1):
    return np.exp(log_softmax(logits, axis))
