"""Everything that comes back is in Fortran order."""

import numpy as np


def softmax(x, axis=-1):
    x = np.array(x, dtype=float, order="F")
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return np.asfortranarray(e / e.sum(axis=axis, keepdims=True))


def attention(Q, K, V):
    weights = softmax(Q @ K.T / np.sqrt(Q.shape[1]))
    return np.asfortranarray(weights @ V), weights


def add_key(K, V, key, value):
    return np.c_[K.T, key].T, np.c_[V.T, value].T


def third_key():
    q = np.array([[1.0, 0.0, 1.0, 0.0]])
    return attention(q, *add_key(np.array([[1.0, 1, 0, 0], [0, 0, 1, 1]]), np.eye(2), q[0], np.ones(2)))


def dominant_key(weights):
    return np.argmax(weights.T, axis=0).astype(np.int32)
