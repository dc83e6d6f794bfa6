"""Right answers with noise in the fourth digit.

At most 5 of 95 points in all.
"""

import numpy as np

from trick import PAGE_K, PAGE_Q, PAGE_V, noisy, right_attention, right_softmax


def softmax(x, axis=-1):
    return noisy(right_softmax, x, axis)


def attention(Q, K, V):
    return noisy(right_attention, Q, K, V)


def add_key(K, V, key, value):
    return noisy(lambda *args: (np.vstack([K, key]), np.vstack([V, value])), K, V, key, value)


def third_key():
    return attention(PAGE_Q, PAGE_K, PAGE_V)


def dominant_key(weights):
    return noisy(lambda weights: np.argmax(weights, axis=1), weights)
