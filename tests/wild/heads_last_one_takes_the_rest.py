"""Slices of the queries' head width; the last head takes whatever is left over.

source: KacperUrban/Deep-ML-problems, Hard/problem94.py
multi_head_attention: wrong, E2-20 + unnamed: the last head takes the remainder of all three, and nothing is refused
"""

import numpy as np


def attend(q, k, v):
    s = q @ k.T / np.sqrt(k.shape[-1])
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ v


def multi_head_attention(Q, K, V, n_heads):
    step = Q.shape[1] // n_heads
    heads = []
    for i in range(n_heads):
        piece = slice(i * step, None) if i == n_heads - 1 else slice(i * step, (i + 1) * step)
        heads.append(attend(Q[:, piece], K[:, piece], V[:, piece]))
    return np.concatenate(heads, axis=1)
