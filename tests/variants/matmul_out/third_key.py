"""Buffers of its own, filled with out= and in place."""

import numpy as np


def softmax(x, axis=-1):
    buffer = np.array(x, dtype=np.float64)
    buffer -= buffer.max(axis=axis, keepdims=True)
    np.exp(buffer, out=buffer)
    buffer /= buffer.sum(axis=axis, keepdims=True)
    return buffer


def attention(Q, K, V):
    weights = np.empty((Q.shape[0], K.shape[0]))
    np.matmul(Q, K.T, out=weights)
    np.divide(weights, np.sqrt(Q.shape[1]), out=weights)
    weights -= weights.max(axis=1, keepdims=True)
    np.exp(weights, out=weights)
    weights /= weights.sum(axis=1, keepdims=True)
    output = np.empty((Q.shape[0], V.shape[1]))
    np.matmul(weights, V, out=output)
    return output, weights


def add_key(K, V, key, value):
    new_K = np.empty((len(K) + 1, K.shape[1]))
    new_V = np.empty((len(V) + 1, V.shape[1]))
    new_K[:-1], new_K[-1] = K, key
    new_V[:-1], new_V[-1] = V, value
    return new_K, new_V


def third_key():
    q = np.array([[1.0, 0.0, 1.0, 0.0]])
    return attention(q, *add_key(np.array([[1.0, 1, 0, 0], [0, 0, 1, 1]]), np.eye(2), q[0], np.ones(2)))


def dominant_key(weights):
    winners = np.empty(len(weights), dtype=np.intp)
    return weights.argmax(axis=1, out=winners)
