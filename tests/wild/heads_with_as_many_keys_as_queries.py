"""The number of rows is read from the queries and used for keys and values as well.

source: PTSown0222/TensorTonic-Solutions, transformers-multi-head-attention/transformers-multi-head-attention.py
multi_head_attention: wrong, E2-23
"""

import numpy as np


def multi_head_attention(Q, K, V, num_heads):
    seq_len = Q.shape[0]

    def heads(X):
        return X.reshape(seq_len, num_heads, X.shape[1] // num_heads).transpose(1, 0, 2)

    q, k, v = heads(Q), heads(K), heads(V)
    score = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[2])
    prob = np.exp(score - score.max(axis=-1, keepdims=True))
    prob /= prob.sum(axis=-1, keepdims=True)
    return (prob @ v).transpose(1, 0, 2).reshape(seq_len, V.shape[1])
