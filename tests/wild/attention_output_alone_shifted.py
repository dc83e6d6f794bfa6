"""Everything is right but for the weights, which stay inside.

source: Jerry-0821/deep-ml-practice-solutions, deep-learning/medium/self_attention_mechanism.py
attention: wrong, E1-60
"""

import numpy as np


def attention(Q, K, V):
    d_k = K.shape[1]
    s = np.dot(Q, K.T) / np.sqrt(d_k)
    e = np.exp(s - np.max(s, axis=1, keepdims=True))
    return np.dot(e / np.sum(e, axis=1, keepdims=True), V)
