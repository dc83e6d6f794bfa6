"""Slices of columns, head after head; its own attention on each."""

import numpy as np

EXPLANATION = "d_k / h products for each score, hence variance d_k / h; the root of d_k is too large by the root of h."


def attend(q, k, v):
    s = q @ k.T / np.sqrt(q.shape[1])
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e @ v / e.sum(axis=1, keepdims=True)


def head_scale(d_k, num_heads):
    return 1 / (d_k / num_heads) ** 0.5


def score_variance(d_k, num_heads):
    return d_k // num_heads


def split_heads(X, num_heads):
    width, left_over = divmod(X.shape[1], num_heads)
    if left_over:
        raise ValueError(f"{left_over} columns are left over")
    return np.stack([X[:, head * width : (head + 1) * width] for head in range(num_heads)])


def multi_head_attention(Q, K, V, num_heads):
    if Q.shape[1] % num_heads or V.shape[1] % num_heads:
        raise ValueError("num_heads must divide d_k and d_v")
    dk, dv = Q.shape[1] // num_heads, V.shape[1] // num_heads
    out = []
    for i in range(num_heads):
        out.append(attend(Q[:, i * dk : (i + 1) * dk], K[:, i * dk : (i + 1) * dk], V[:, i * dv : (i + 1) * dv]))
    return np.hstack(out)
