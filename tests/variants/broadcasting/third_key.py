"""No matrix product: broadcasting and sums."""

import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - np.expand_dims(np.max(x, axis=axis), axis))
    return e / np.expand_dims(np.sum(e, axis=axis), axis)


def attention(Q, K, V):
    scores = (Q[:, np.newaxis, :] * K[np.newaxis, :, :]).sum(axis=2) / np.sqrt(Q.shape[1])
    weights = softmax(scores)
    return (weights[:, :, np.newaxis] * V[np.newaxis, :, :]).sum(axis=1), weights


def add_key(K, V, key, value):
    here = np.arange(len(K) + 1)[:, None] < len(K)
    K_long, V_long = (np.concatenate([X, X[:1]]) for X in (K, V))
    return np.where(here, K_long, key), np.where(here, V_long, value)


def third_key():
    q = np.array([[1.0, 0.0, 1.0, 0.0]])
    return attention(q, *add_key(np.array([[1.0, 1, 0, 0], [0, 0, 1, 1]]), np.eye(2), q[0], np.ones(2)))


def dominant_key(weights):
    return np.nonzero(weights == weights.max(axis=1, keepdims=True))[1]
