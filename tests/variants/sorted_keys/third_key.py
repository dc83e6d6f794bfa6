"""Scores are sorted first, so that small exponentials are added before large ones, and put back afterwards."""

import numpy as np


def softmax(x, axis=-1):
    order = np.argsort(x, axis=axis)
    ascending = np.take_along_axis(np.asarray(x, dtype=float), order, axis=axis)
    e = np.exp(ascending - np.take(ascending, [-1], axis=axis))
    weights = np.empty(e.shape)
    np.put_along_axis(weights, order, e / np.add.reduce(e, axis=axis, keepdims=True), axis=axis)
    return weights


def attention(Q, K, V):
    weights = softmax(Q @ K.T / np.sqrt(Q.shape[1]))
    return weights @ V, weights


def add_key(K, V, key, value):
    return np.vstack([K, key]), np.vstack([V, value])


def third_key():
    q = np.array([[1.0, 0.0, 1.0, 0.0]])
    return attention(q, *add_key(np.array([[1.0, 1, 0, 0], [0, 0, 1, 1]]), np.eye(2), q[0], np.ones(2)))


def dominant_key(weights):
    return np.argsort(-weights, axis=1)[:, 0]
