"""Cut and attended rightly; the heads are put together by reshape, without the transposition back.

source: jsbaan/transformer-from-scratch, pull 6 (multi_head_attention.py)
multi_head_attention: wrong, E2-07
"""

import numpy as np


def attend(q, k, v):
    s = q @ k.T / np.sqrt(k.shape[-1])
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ v


def multi_head_attention(Q, K, V, num_heads):
    def cut(x):
        return x.reshape(x.shape[0], num_heads, x.shape[1] // num_heads).transpose(1, 0, 2)

    values = np.stack([attend(q, k, v) for q, k, v in zip(cut(Q), cut(K), cut(V))])
    return values.reshape(Q.shape[0], V.shape[1])
