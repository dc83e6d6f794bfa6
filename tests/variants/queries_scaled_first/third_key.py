"""The queries are scaled before the product, on a copy."""

import numpy as np


def softmax(x, axis=-1):
    shifted = x - np.max(x, axis=axis, keepdims=True)
    return np.exp(shifted) / np.exp(shifted).sum(axis=axis, keepdims=True)


def attention(Q, K, V):
    Q = Q * Q.shape[1] ** -0.5
    weights = softmax(Q @ K.T)
    return weights @ V, weights


def add_key(K, V, key, value):
    return np.concatenate([K, np.reshape(key, (1, -1))]), np.concatenate([V, np.reshape(value, (1, -1))])


def third_key():
    q = np.array([[1.0, 0.0, 1.0, 0.0]])
    K = np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]])
    V = np.array([[1.0, 0.0], [0.0, 1.0]])
    K3, V3 = add_key(K, V, q.ravel(), np.array([1.0, 1.0]))
    return attention(q, K3, V3)


def dominant_key(weights):
    return np.array([int(np.argmax(row)) for row in weights])
