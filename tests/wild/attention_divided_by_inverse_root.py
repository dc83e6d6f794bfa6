"""The stored scale is already the inverse root, and the scores are divided by it.

source: esceptico/perceiver-io, issue 9 (src/perceiver_io/attention.py)
attention: wrong, E1-03
"""

import numpy as np


class Head:
    def __init__(self, width):
        self.scale = width**-0.5

    def forward(self, q, k, v):
        a = (q @ k.T) / self.scale
        a = np.exp(a - a.max(axis=1, keepdims=True))
        a = a / a.sum(axis=1, keepdims=True)
        return a @ v, a


def attention(Q, K, V):
    return Head(Q.shape[1]).forward(Q, K, V)
