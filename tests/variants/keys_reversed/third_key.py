"""The keys are visited from the last to the first."""

import numpy as np


def softmax(x, axis=-1):
    backwards = np.flip(x, axis)
    e = np.exp(backwards - backwards.max(axis, keepdims=True))
    return np.flip(e / e.sum(axis, keepdims=True), axis)


def attention(Q, K, V):
    K, V = K[::-1], V[::-1]
    weights = softmax(Q @ K.T / np.sqrt(Q.shape[1]))
    return weights @ V, weights[:, ::-1]


def add_key(K, V, key, value):
    return np.vstack([key, K[::-1]])[::-1], np.vstack([value, V[::-1]])[::-1]


def third_key():
    q = np.array([[1.0, 0.0, 1.0, 0.0]])
    return attention(q, *add_key(np.array([[1.0, 1, 0, 0], [0, 0, 1, 1]]), np.eye(2), q[0], np.ones(2)))


def dominant_key(weights):
    return weights.shape[1] - 1 - np.argmax(weights[:, ::-1], axis=1)
