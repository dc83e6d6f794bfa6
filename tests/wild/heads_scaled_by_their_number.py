"""A comment promises the width of a head; the code takes the number of heads.

source: tenstorrent/tt-metal, pull 56789 (the tutorial's MultiHeadAttention)
head_scale: wrong, E2-03
multi_head_attention: wrong, E2-03
"""

import numpy as np


def head_scale(d_k, num_heads):
    # one over the root of the head's width
    return 1 / np.sqrt(num_heads)


def multi_head_attention(Q, K, V, num_heads):
    q, k, v = (np.stack(np.split(a, num_heads, axis=1)) for a in (Q, K, V))
    scores = np.einsum("hid,hjd->hij", q, k) * head_scale(Q.shape[1], num_heads)
    e = np.exp(scores - scores.max(axis=2, keepdims=True))
    out = np.einsum("hij,hjd->hid", e / e.sum(axis=2, keepdims=True), v)
    return np.concatenate(out, axis=1)
