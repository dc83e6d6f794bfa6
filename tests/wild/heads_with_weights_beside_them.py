"""The output is right, and the weights of the heads come with it.

source: AkiRusProd/numpy-transformer, transformer/layers/combined/self_attention.py
multi_head_attention: wrong, E2-25
"""

import numpy as np


def multi_head_attention(query, key, value, num_heads):
    q, k, v = (np.stack(np.split(a, num_heads, axis=1)) for a in (query, key, value))
    energy = np.matmul(q, k.transpose(0, 2, 1)) / np.sqrt(k.shape[2])
    attention = np.exp(energy - energy.max(axis=-1, keepdims=True))
    attention = attention / attention.sum(axis=-1, keepdims=True)
    output = np.matmul(attention, v).transpose(1, 0, 2).reshape(len(query), -1)
    return output, attention
