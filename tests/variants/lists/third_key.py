"""Lists of floats all the way, arrays at the very end."""

from math import exp, sqrt

import numpy as np


def shares(scores):
    top = max(scores)
    parts = [exp(score - top) for score in scores]
    total = sum(parts)
    return [part / total for part in parts]


def softmax(x, axis=-1):
    rows = np.moveaxis(np.asarray(x), axis, -1)
    flat = [shares(row) for row in rows.reshape(-1, rows.shape[-1]).tolist()]
    return np.moveaxis(np.array(flat).reshape(rows.shape), -1, axis)


def attention(Q, K, V):
    queries, keys, values = Q.tolist(), K.tolist(), V.tolist()
    weights = [shares([sum(a * b for a, b in zip(q, k)) / sqrt(len(q)) for k in keys]) for q in queries]
    output = [[sum(w * v for w, v in zip(row, column)) for column in zip(*values)] for row in weights]
    return np.array(output), np.array(weights)


def add_key(K, V, key, value):
    return np.array([*K.tolist(), list(key)], dtype=float), np.array([*V.tolist(), list(value)], dtype=float)


def third_key():
    q = [1.0, 0.0, 1.0, 0.0]
    K, V = add_key(np.array([[1, 1, 0, 0], [0, 0, 1, 1]]), np.array([[1, 0], [0, 1]]), q, [1, 1])
    return attention(np.array([q]), K, V)


def dominant_key(weights):
    return np.array([row.index(max(row)) for row in weights.tolist()])
