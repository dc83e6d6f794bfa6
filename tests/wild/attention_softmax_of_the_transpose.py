"""The scores are turned, normalised along the last axis, and turned back: over the queries, that is.

source: HsiaoYetGun/ESIM, issue 5 (model.py); PetrochukM/PyTorch-NLP, issue 2
attention: wrong, E1-10
"""

import numpy as np


def last_axis(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    weights = np.transpose(last_axis(np.transpose(scores)))
    return weights @ V, weights
