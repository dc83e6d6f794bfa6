"""The root is that of the undivided width of the values.

source: juho-lee/set_transformer, issue 18 (its MAB block)
multi_head_attention: wrong, E2-01 + unnamed: sqrt(d_v) of the undivided V, the same as sqrt(d_k) where both agree
"""

import numpy as np


def multi_head_attention(Q, K, V, num_heads):
    dim_V = V.shape[1]
    Q_, K_, V_ = (np.stack(np.split(a, num_heads, axis=1)) for a in (Q, K, V))
    A = Q_ @ K_.transpose(0, 2, 1) / np.sqrt(dim_V)
    A = np.exp(A - A.max(axis=2, keepdims=True))
    A = A / A.sum(axis=2, keepdims=True)
    return np.concatenate(A @ V_, axis=1)
