"""The pair comes back as a named tuple."""

from collections import namedtuple

import numpy as np

Attended = namedtuple("Attended", "output weights")
Memory = namedtuple("Memory", "keys values")


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def attention(Q, K, V):
    weights = softmax(Q @ K.T / np.sqrt(Q.shape[1]))
    return Attended(output=weights @ V, weights=weights)


def add_key(K, V, key, value):
    return Memory(np.vstack([K, key]), np.vstack([V, value]))


def third_key():
    q = np.array([[1.0, 0.0, 1.0, 0.0]])
    return attention(q, *add_key(np.array([[1.0, 1, 0, 0], [0, 0, 1, 1]]), np.eye(2), q[0], np.ones(2)))


def dominant_key(weights):
    return np.argmax(weights, axis=1)
