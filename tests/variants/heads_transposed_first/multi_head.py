"""Features as rows: the transposed input is cut by reshaping alone."""

import numpy as np

from third_key import attention

EXPLANATION = "Each head: d_k / h features, variance d_k / h."


def head_scale(d_k, num_heads):
    return 1 / np.hypot(0.0, np.sqrt(d_k / num_heads))


def score_variance(d_k, num_heads):
    return np.float64(d_k / num_heads)


def split_heads(X, num_heads):
    if X.shape[1] % num_heads:
        raise ValueError("indivisible")
    return X.T.reshape(num_heads, -1, len(X)).transpose(0, 2, 1)


def multi_head_attention(Q, K, V, num_heads):
    parts = [split_heads(X, num_heads) for X in (Q, K, V)]
    return np.vstack([attention(*(part[i] for part in parts))[0].T for i in range(num_heads)]).T
