"""The logits are shifted where they stand; the rest is right.

source: LiZhenping/seq2seq_attention, softmax.py
softmax_jacobian: wrong, E3J-18
"""

import numpy as np


def softmax_jacobian(z):
    z -= np.max(z)
    s = np.exp(z) / np.sum(np.exp(z))
    m = np.diag(s)
    for i in range(len(m)):
        for j in range(len(m)):
            m[i, j] = s[i] * (1 - s[i]) if i == j else -s[i] * s[j]
    return m
