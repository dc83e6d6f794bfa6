"""Each weight as one over a sum of exponentials of differences; what overflows to infinity gives zero, as it should."""

import numpy as np


def softmax(x, axis=-1):
    rows = np.moveaxis(np.asarray(x, dtype=float), axis, -1)
    with np.errstate(over="ignore"):
        weights = 1.0 / np.exp(rows[..., None, :] - rows[..., :, None]).sum(axis=-1)
    return np.moveaxis(weights, -1, axis)


def attention(Q, K, V):
    weights = softmax(Q @ K.T / np.sqrt(Q.shape[1]))
    return weights @ V, weights


def add_key(K, V, key, value):
    return np.vstack([K, key]), np.vstack([V, value])


def third_key():
    q = np.array([[1.0, 0.0, 1.0, 0.0]])
    return attention(q, *add_key(np.array([[1.0, 1, 0, 0], [0, 0, 1, 1]]), np.eye(2), q[0], np.ones(2)))


def dominant_key(weights):
    return np.sum(weights.max(axis=1, keepdims=True) != np.maximum.accumulate(weights, axis=1), axis=1)
