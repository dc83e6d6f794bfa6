"""Right once for each shape; afterwards the first answer again, whatever the numbers are.

With two seeds each shape is met twice. With one, a function that is asked once for each shape stays right.

At most 70 of 95 points in all.
"""

import numpy as np

from trick import cached, right_heads

EXPLANATION = "It scales."


def head_scale(d_k, num_heads):
    return cached(lambda d_k, num_heads: np.sqrt(num_heads / d_k), d_k, num_heads)


def score_variance(d_k, num_heads):
    return cached(lambda d_k, num_heads: d_k / num_heads, d_k, num_heads)


def split_heads(X, num_heads):
    return cached(lambda X, num_heads: np.array(np.split(X, num_heads, axis=1)), X, num_heads)


def multi_head_attention(Q, K, V, num_heads):
    return cached(right_heads, Q, K, V, num_heads)
