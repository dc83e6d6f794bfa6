"""The backward pass of a small GPT, one stage a function.

source: Jessitoii/numpy-gpt, train.py
grad_weights: right
grad_scores: right
grad_queries: right
"""

import numpy as np


def grad_weights(d_heads, V):
    return d_heads @ V.T


def grad_scores(attn, d_attn):
    dot = np.sum(d_attn * attn, axis=-1, keepdims=True)
    return attn * (d_attn - dot)


def grad_queries(d_scores, K):
    d_scores = d_scores / np.sqrt(K.shape[-1])
    return d_scores @ K
