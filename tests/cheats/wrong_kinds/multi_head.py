"""Texts, None, dictionaries, generators, functions: nothing that holds numbers.

At most 1 of 95 points in all.
"""

EXPLANATION = ["text"]


def head_scale(d_k, num_heads):
    return "1 / sqrt"


def score_variance(d_k, num_heads):
    return float


def split_heads(X, num_heads):
    return dict.fromkeys(range(num_heads), X)


def multi_head_attention(Q, K, V, num_heads):
    return iter(Q)
