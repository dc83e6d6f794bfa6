"""The root is that of the number of rows of Q, kept in single precision, and nothing is shifted.

source: thealper2/deep-ml-solutions, 0000-0099/0053-Implement-Self-Attention-Mechanism.py
attention: wrong, E1-04 + E1-14: the root is rounded to float32
"""

import numpy as np


def attention(Q, K, V):
    root = np.array([float(Q.shape[0]) ** 0.5], dtype="float32")
    score = np.divide(Q.dot(K.transpose()), root)
    weights = np.exp(score) / np.sum(np.exp(score), axis=-1, keepdims=True)
    return weights.dot(V), weights
