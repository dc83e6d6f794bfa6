"""The context is a mixture of the keys; the values are never used.

source: RasKrebs/llms4code_code_quality, attention/codellama/medium.py
attention: wrong, E1-20
"""

import numpy as np


def attention(query, keys, values):
    scores = np.matmul(query, keys.T) / np.sqrt(keys.shape[1])
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    context = np.matmul(weights, keys)
    return context, weights
