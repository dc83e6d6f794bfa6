"""np.split cuts, and its own ValueError refuses."""

import numpy as np

from third_key import attention

EXPLANATION = "Shorter pieces: variance d_k / h, scale by its root."


def head_scale(d_k, num_heads):
    return np.power(d_k / num_heads, -0.5)


def score_variance(d_k, num_heads):
    return np.asarray(d_k) / num_heads


def split_heads(X, num_heads):
    return np.stack(np.split(X, num_heads, axis=-1), axis=0)


def multi_head_attention(Q, K, V, num_heads):
    heads = map(attention, *(np.split(X, num_heads, axis=-1) for X in (Q, K, V)))
    return np.concatenate([output for output, _ in heads], axis=-1)
