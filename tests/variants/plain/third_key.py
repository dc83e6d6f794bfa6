"""The usual way, one line a step; whatever another variant leaves out is taken from this folder."""

import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def attention(Q, K, V):
    weights = softmax(Q @ K.T / np.sqrt(Q.shape[1]))
    return weights @ V, weights


def add_key(K, V, key, value):
    return np.vstack([K, key]), np.vstack([V, value])


def third_key():
    q = np.array([[1.0, 0.0, 1.0, 0.0]])
    K = np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]])
    K, V = add_key(K, np.eye(2), q[0], np.ones(2))
    return attention(q, K, V)


def dominant_key(weights):
    return np.argmax(weights, axis=1)
