"""Later keys are set to minus infinity in a copy of the scores, as in a decoder.

source: h-livv/transformer-numpy, src/attention.py
attention: wrong, E1-22
"""

import numpy as np


def attention(Q, K, V):
    dots = (Q @ K.T) / np.sqrt(Q.shape[1])
    ahead = np.triu_indices(dots.shape[0], k=1, m=dots.shape[1])
    hidden = dots.copy()
    hidden[ahead] = -np.inf
    grown = np.exp(hidden - hidden.max(axis=1, keepdims=True))
    weights = grown / grown.sum(axis=1, keepdims=True)
    return weights @ V, weights
