"""Query by query into an array that has the type of V, which may be whole numbers.

source: Idk507/deep-ml_ml-challenge, Daily Challenge/Implement Efficient Sparse Window Attention.py
attention: wrong, E1-45
"""

import numpy as np


def attention(Q, K, V):
    out = np.zeros((Q.shape[0], V.shape[1]), dtype=V.dtype)
    rows = []
    for i in range(Q.shape[0]):
        s = np.dot(Q[i : i + 1], K.T) / np.sqrt(Q.shape[1])
        e = np.exp(s - np.max(s, axis=1, keepdims=True))
        w = e / np.sum(e, axis=1, keepdims=True)
        out[i] = np.dot(w, V)
        rows.append(w[0])
    return out, np.array(rows)
