"""A fourth root on the queries and one on the keys."""

import numpy as np


def softmax(x, axis=-1):
    e = np.exp(np.subtract(x, np.max(x, axis, keepdims=True)))
    return np.divide(e, np.sum(e, axis, keepdims=True))


def attention(Q, K, V):
    root = Q.shape[1] ** 0.25
    weights = softmax((Q / root) @ (K / root).T)
    return weights @ V, weights


def add_key(K, V, key, value):
    return np.vstack((K, key)), np.vstack((V, value))


def third_key():
    q = np.array([[1, 0, 1, 0]])
    K, V = add_key([[1, 1, 0, 0], [0, 0, 1, 1]], [[1, 0], [0, 1]], q, [1, 1])
    return attention(q, K, V)


def dominant_key(weights):
    return np.nanargmax(weights, axis=1)
