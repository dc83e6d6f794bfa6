"""Reshaped to (heads, tokens, width) and then transposed as if it were (tokens, heads, width).

source: jtappen1/Machine-Learning-From-Scratch, models/multi-head-attention/multi_head_attention.py
multi_head_attention: wrong, unnamed: heads of a wrongly cut row attend to one another
"""

import numpy as np


def compute(Q, K, V):
    s = Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1])
    w = np.exp(s - s.max(axis=-1, keepdims=True))
    return (w / w.sum(axis=-1, keepdims=True)) @ V


def multi_head_attention(Q, K, V, num_heads):
    def rearranged(X):
        return X.reshape(num_heads, X.shape[0], X.shape[1] // num_heads).transpose(1, 0, 2)

    attended = compute(rearranged(Q), rearranged(K), rearranged(V))
    return attended.transpose(1, 0, 2).reshape(Q.shape[0], V.shape[1])
