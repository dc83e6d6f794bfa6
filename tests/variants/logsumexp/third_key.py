"""Weights as exp(x - logsumexp(x)), without a division."""

import numpy as np


def logsumexp(x, axis):
    top = np.max(x, axis=axis, keepdims=True)
    return top + np.log(np.sum(np.exp(x - top), axis=axis, keepdims=True))


def softmax(x, axis=-1):
    return np.exp(x - logsumexp(x, axis))


def attention(Q, K, V):
    weights = softmax(np.dot(Q, np.transpose(K)) / np.sqrt(np.shape(Q)[1]))
    return np.dot(weights, V), weights


def add_key(K, V, key, value):
    return np.append(K, [key], axis=0), np.append(V, [value], axis=0)


def third_key():
    q = np.array([[1, 0, 1, 0]])
    K, V = add_key(np.array([[1, 1, 0, 0], [0, 0, 1, 1]]), np.eye(2), q[0], [1, 1])
    return attention(q, K, V)


def dominant_key(weights):
    return np.argsort(weights, axis=1)[:, -1]
