"""The number of heads stands first in the reshape, to save the transposition.

source: hyunwoongko/transformer, issue 15
split_heads: wrong, E2-06
multi_head_attention: wrong, E2-06
"""

import numpy as np


def attend(q, k, v):
    s = q @ k.T / np.sqrt(k.shape[-1])
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ v


def split_heads(x, num_heads):
    return x.reshape(num_heads, x.shape[0], x.shape[1] // num_heads)


def multi_head_attention(Q, K, V, num_heads):
    heads = [attend(q, k, v) for q, k, v in zip(*(split_heads(a, num_heads) for a in (Q, K, V)))]
    return np.concatenate(heads, axis=-1)
