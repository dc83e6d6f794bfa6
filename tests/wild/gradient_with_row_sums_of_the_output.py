"""The row's dot product is taken from dO and the output, as in FlashAttention's backward pass.

source: huggingface/picotron, issue 37 (the identity that its ring version broke)
attention_grad_q: right
"""

import numpy as np


def forward(Q, K, V):
    S = Q @ K.T / np.sqrt(Q.shape[1])
    P = np.exp(S - S.max(axis=1, keepdims=True))
    P = P / P.sum(axis=1, keepdims=True)
    return P, P @ V


def attention_grad_q(Q, K, V, dO):
    P, O = forward(Q, K, V)
    D = np.sum(dO * O, axis=1, keepdims=True)
    dS = P * (dO @ V.T - D)
    return dS @ K / np.sqrt(Q.shape[1])
