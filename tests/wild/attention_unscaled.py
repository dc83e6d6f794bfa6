"""Similarities of tokens, a stable softmax, and no scale anywhere.

source: thealper2/deep-ml-solutions, 0900-0999/0955-Simple-Self-Attention-Without-Trainable-Weights.py
attention: wrong, E1-01
"""

import numpy as np


def attention(Q, K, V):
    similarity = Q @ K.T
    up = np.exp(similarity - np.max(similarity, axis=1, keepdims=True))
    weights = up / np.sum(up, axis=1, keepdims=True)
    return weights @ V, weights
