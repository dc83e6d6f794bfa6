"""The stages call what exercise 1 has; nothing is computed twice.

source: YVSemlani/numpy-transformer, modules/attention.py (it imports its own softmax and linear layers)
with: third_key
attention_grad_q: right
grad_queries: right
"""

import numpy as np

from third_key import attention


def grad_queries(dLdScores, k):
    dLdScores = dLdScores / np.sqrt(k.shape[1])
    return dLdScores @ k


def attention_grad_q(q, k, v, dLdY):
    _, attn = attention(q, k, v)
    dLdAttn = dLdY @ v.transpose()
    inner = np.einsum("ij,ij->i", attn, dLdAttn)[:, None]
    return grad_queries(attn * (dLdAttn - inner), k)
