"""The heads are reshaped, without a transposition, to as many rows as there are keys.

source: haolamnm/TensorTonic-Solutions, transformer/transformers-multi-head-attention/transformers-multi-head-attention.py
multi_head_attention: wrong, E2-07 + unnamed: m rows are asked of n queries, which raises unless n = m
"""

import numpy as np


def multi_head_attention(Q, K, V, num_heads):
    N, D = Q.shape
    M, H = K.shape[0], num_heads
    q = Q.reshape(N, H, D // H).transpose(1, 0, 2)
    k = K.reshape(M, H, D // H).transpose(1, 0, 2)
    v = V.reshape(M, H, V.shape[1] // H).transpose(1, 0, 2)
    S = q @ k.swapaxes(-1, -2) / np.sqrt(D // H)
    S = np.exp(S - S.max(axis=2, keepdims=True))
    A = (S / S.sum(axis=2, keepdims=True)) @ v
    return A.reshape(M, V.shape[1])
