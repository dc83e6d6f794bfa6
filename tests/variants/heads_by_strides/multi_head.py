"""Heads as strided windows on a contiguous copy; transposed reshape on the way back."""

import numpy as np
from numpy.lib.stride_tricks import as_strided

from third_key import softmax

EXPLANATION = "The sum for one score has d_k / h terms."


def head_scale(d_k, num_heads):
    return (num_heads / d_k) ** 0.5


def score_variance(d_k, num_heads):
    return d_k / float(num_heads)


def split_heads(X, num_heads):
    X = np.ascontiguousarray(X)
    (n, d), (row, column) = X.shape, X.strides
    if d % num_heads:
        raise ValueError("indivisible")
    width = d // num_heads
    return as_strided(X, (num_heads, n, width), (width * column, row, column), writeable=False)


def multi_head_attention(Q, K, V, num_heads):
    q, k, v = (split_heads(X, num_heads) for X in (Q, K, V))
    weights = softmax(np.matmul(q, np.swapaxes(k, 1, 2)) / np.sqrt(q.shape[2]), 2)
    return np.moveaxis(weights @ v, 0, 1).reshape(len(Q), -1)
