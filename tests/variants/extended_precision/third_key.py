"""longdouble inside, float64 handed back."""

import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=np.longdouble)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return (e / e.sum(axis=axis, keepdims=True)).astype(np.float64)


def attention(Q, K, V):
    Q, K, V = (X.astype(np.longdouble) for X in (Q, K, V))
    weights = softmax(Q @ K.T / np.sqrt(np.longdouble(Q.shape[1])))
    return (weights @ V).astype(np.float64), weights


def add_key(K, V, key, value):
    return np.vstack([K, key]), np.vstack([V, value])


def third_key():
    q = np.array([[1.0, 0.0, 1.0, 0.0]])
    return attention(q, *add_key(np.array([[1.0, 1, 0, 0], [0, 0, 1, 1]]), np.eye(2), q[0], np.ones(2)))


def dominant_key(weights):
    return np.argmax(weights, axis=1)
