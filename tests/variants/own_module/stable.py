"""Pieces that third_key.py puts together."""

import numpy as np

Q = np.array([[1.0, 0.0, 1.0, 0.0]])
K = np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]])
V = np.array([[1.0, 0.0], [0.0, 1.0]])


def softmax(x, axis):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def compare(queries, keys):
    return queries @ keys.T / np.sqrt(queries.shape[1])


def average(values, weights):
    return weights @ values, weights


def append(rows, row):
    return np.vstack([rows, row])
