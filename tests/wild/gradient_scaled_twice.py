"""The scale is in the scores' gradient already, and once more in the last product.

source: HKUSTDial/flash-sparse-attention, pull 203
with: third_key
grad_queries: wrong, E3B-04
attention_grad_q: wrong, E3B-04
"""

import math

import numpy as np

from third_key import attention


def grad_queries(dS, K):
    softmax_scale = 1.0 / math.sqrt(K.shape[1])
    dS = dS * softmax_scale
    return softmax_scale * (dS @ K)


def attention_grad_q(Q, K, V, dO):
    P = attention(Q, K, V)[1]
    dP = dO @ V.T
    dS = P * (dP - np.sum(P * dP, axis=1, keepdims=True))
    return grad_queries(dS, K)
