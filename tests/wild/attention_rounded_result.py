"""Both results are rounded to four digits on the way out.

source: thealper2/deep-ml-solutions, 0300-0399/0388-Sliding-Window-Attention.py
attention: wrong, E1-72: output and weights are rounded to four digits
"""

import numpy as np


def attention(Q, K, V):
    s = Q @ K.T / np.sqrt(Q.shape[1])
    p = np.exp(s - np.max(s, axis=-1, keepdims=True))
    p = p / np.sum(p, axis=-1, keepdims=True)
    return np.round(p @ V, 4), np.round(p, 4)
