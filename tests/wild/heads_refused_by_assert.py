"""An impossible number of heads is stopped by an assert.

source: RasKrebs/llms4code_code_quality, multihead-attention/gpt-4-turbo/medium.py
split_heads: wrong, E2-29
multi_head_attention: wrong, E2-29
"""

import numpy as np


def attend(q, k, v):
    s = q @ k.T / np.sqrt(k.shape[-1])
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ v


def split_heads(x, num_heads):
    rows, features = x.shape
    assert features % num_heads == 0, "the features must be divisible by the number of heads"
    return np.transpose(x.reshape(rows, num_heads, features // num_heads), (1, 0, 2))


def multi_head_attention(query, key, value, num_heads):
    triples = zip(*(split_heads(a, num_heads) for a in (query, key, value)))
    return np.concatenate([attend(*t) for t in triples], axis=-1)
