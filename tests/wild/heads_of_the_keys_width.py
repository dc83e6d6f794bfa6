"""One width, that of the queries, cuts all three by reshape: values of another width are refused.

source: vossr/solutions-deep-ml, 94.py; thealper2/deep-ml-solutions, 0000-0099/0094-Implement-Multi-Head-Attention.py
multi_head_attention: wrong, E2-20
"""

import numpy as np


def attend(q, k, v):
    s = q @ k.T / np.sqrt(k.shape[-1])
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ v


def multi_head_attention(Q, K, V, n_heads):
    depth = Q.shape[1] // n_heads
    q, k, v = (A.reshape(A.shape[0], n_heads, depth).transpose(1, 0, 2) for A in (Q, K, V))
    return np.concatenate([attend(q[i], k[i], v[i]) for i in range(n_heads)], axis=-1)
