"""A function of its own takes one maximum of all scores and a sum for each row.

source: RasKrebs/llms4code_code_quality, attention/deepseeker-coder/medium.py
attention: wrong, E1-15
"""

import numpy as np


def to_weights(x):
    e = np.exp(x - np.max(x))
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V):
    scaled = np.dot(Q, K.T) / np.sqrt(Q.shape[1])
    weights = to_weights(scaled)
    return np.dot(weights, V), weights
