"""The elementwise derivative of softmax is multiplied as a matrix into the chain.

source: JackHanke/nets, models/attention/attention.py (_backward)
with: third_key
attention_grad_q: wrong, E3B-16
"""

import numpy as np

from third_key import attention


def function_prime(s):
    return s * (1 - s)


def attention_grad_q(Q, K, V, dO):
    root = np.sqrt(Q.shape[1])
    B = function_prime(attention(Q, K, V)[1]) / root
    product = dO
    for term in (V.T, B, K):
        product = np.matmul(product, term)
    return product
