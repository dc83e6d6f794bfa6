"""The output is allocated first and filled head by head."""

import numpy as np

from third_key import attention

EXPLANATION = "Variance follows the length of the piece, d_k / h."


def head_scale(d_k, num_heads):
    width = d_k / num_heads
    return np.sqrt(width) / width


def score_variance(d_k, num_heads):
    return np.divide(d_k, num_heads)


def split_heads(X, num_heads):
    if X.shape[1] % num_heads:
        raise ValueError("indivisible")
    heads = np.empty((num_heads, X.shape[0], X.shape[1] // num_heads))
    for head, columns in zip(heads, np.arange(X.shape[1]).reshape(num_heads, -1)):
        head[...] = X[:, columns]
    return heads


def multi_head_attention(Q, K, V, num_heads):
    output = np.empty((len(Q), V.shape[1]))
    heads = split_heads(Q, num_heads), split_heads(K, num_heads), split_heads(V, num_heads)
    width = V.shape[1] // num_heads
    for i in range(num_heads):
        output[:, i * width : (i + 1) * width], _ = attention(*(head[i] for head in heads))
    return output
