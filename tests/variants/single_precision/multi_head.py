"""float32 inside and out: right to seven digits, full marks with a note."""

import numpy as np

from third_key import attention

EXPLANATION = "A head sums d_k / h products; variance d_k / h; the old scale makes the weights of each head too even."


def head_scale(d_k, num_heads):
    return np.float32(num_heads / d_k) ** np.float32(0.5)


def score_variance(d_k, num_heads):
    return np.float32(d_k / num_heads)


def split_heads(X, num_heads):
    return np.stack(np.split(X.astype(np.float32), num_heads, axis=1))


def multi_head_attention(Q, K, V, num_heads):
    heads = zip(split_heads(Q, num_heads), split_heads(K, num_heads), split_heads(V, num_heads))
    return np.hstack([attention(*head)[0] for head in heads])
