"""Tokens as columns: K Q^T, softmax down the columns, transposed at the end."""

import numpy as np


def softmax(x, axis=-1):
    columns = np.moveaxis(x, axis, 0)
    e = np.exp(columns - columns.max(axis=0))
    return np.moveaxis(e / e.sum(axis=0), 0, axis)


def attention(Q, K, V):
    down = softmax(K @ Q.T / np.sqrt(Q.shape[1]), axis=0)
    return (V.T @ down).T, down.T


def add_key(K, V, key, value):
    return np.column_stack([K.T, key]).T, np.column_stack([V.T, value]).T


def third_key():
    q = np.array([[1.0, 0.0, 1.0, 0.0]])
    return attention(q, *add_key(np.array([[1.0, 1, 0, 0], [0, 0, 1, 1]]), np.eye(2), q[0], np.ones(2)))


def dominant_key(weights):
    return np.argmax(weights.T, axis=0)
