"""Every product is an einsum."""

import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - np.amax(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


def attention(Q, K, V):
    scores = np.einsum("nd,md->nm", Q, K) / np.sqrt(Q.shape[1])
    weights = softmax(scores)
    return np.einsum("nm,mv->nv", weights, V), weights


def add_key(K, V, key, value):
    return np.r_[K, [key]], np.r_[V, [value]]


def third_key():
    q = np.array([[1.0, 0, 1, 0]])
    return attention(q, *add_key(np.array([[1.0, 1, 0, 0], [0, 0, 1, 1]]), np.identity(2), q[0], np.ones(2)))


def dominant_key(weights):
    return np.einsum("nm,m->n", weights == weights.max(axis=1, keepdims=True), np.arange(weights.shape[1]))
