"""An input is handed back, of the right shape where there is one.

At most 5 of 95 points in all.
"""

import numpy as np


def softmax(x, axis=-1):
    return x


def attention(Q, K, V):
    return V, K


def add_key(K, V, key, value):
    return K, V


def third_key():
    return np.array([[1.0, 1.0]]), np.array([[1.0, 0.0, 1.0]])


def dominant_key(weights):
    return weights
