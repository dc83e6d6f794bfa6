"""The scores' gradient is divided by the root of the width of the values.

source: marjanme/transformer-numpy, implementation/transformer_helper.py (multihead_attention_gradient)
with: third_key
attention_grad_q: wrong, E3B-05
"""

import numpy as np

from third_key import attention


def attention_grad_q(Q, K, V, dO):
    d_v = V.shape[1]
    s = attention(Q, K, V)[1]
    grad_softmax = dO @ V.T
    scaled = np.zeros_like(s)
    for i in range(len(s)):
        scaled[i] = grad_softmax[i] @ (np.diag(s[i]) - np.outer(s[i], s[i]))
    return scaled / np.sqrt(d_v) @ K
