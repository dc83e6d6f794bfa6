"""Attention without a scale, and a gradient that is right for exactly that.

source: eliben/deep-learning-samples, understanding-deep-learning-book/nb-12-01-self-attention.py (is_scaled=False)
attention: wrong, E1-01
attention_grad_q: right
"""

import numpy as np


def attention(Q, K, V):
    KQ = Q @ K.T
    e = np.exp(KQ - KQ.max(axis=1, keepdims=True))
    w = e / e.sum(axis=1, keepdims=True)
    return w @ V, w


def attention_grad_q(Q, K, V, dO):
    w = attention(Q, K, V)[1]
    dw = dO @ V.T
    return (w * (dw - (w * dw).sum(axis=1, keepdims=True))) @ K
