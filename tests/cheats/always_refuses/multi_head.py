"""Every call raises ValueError, which is right for some of them.

At most 0 of 95 points in all.
"""

from trick import refuse

EXPLANATION = "It cannot be done."


def head_scale(d_k, num_heads):
    refuse(d_k)


def score_variance(d_k, num_heads):
    refuse(d_k)


def split_heads(X, num_heads):
    refuse(X)


def multi_head_attention(Q, K, V, num_heads):
    refuse(Q)
