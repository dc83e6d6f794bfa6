"""The denominator by np.logaddexp.reduce."""

import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=np.float64)
    return np.exp(x - np.logaddexp.reduce(x, axis=axis, keepdims=True))


def attention(Q, K, V):
    weights = softmax(np.inner(Q, K) / Q.shape[-1] ** 0.5, axis=1)
    return weights.dot(V), weights


def add_key(K, V, key, value):
    return np.concatenate((K, key[None, :])), np.concatenate((V, value[None, :]))


def third_key():
    K = np.array([[1.0, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0]])
    V = np.array([[1.0, 0], [0, 1], [1, 1]])
    return attention(K[2:], K, V)


def dominant_key(weights):
    return weights.argmax(axis=-1)
