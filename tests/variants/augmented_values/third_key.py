"""A column of ones beside the values carries the denominator through the same product."""

import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    both = e @ np.hstack([V, np.ones((len(V), 1))])
    return both[:, :-1] / both[:, -1:], e / both[:, -1:]


def add_key(K, V, key, value):
    joined = np.vstack([np.hstack([K, V]), np.concatenate([key, value])])
    return joined[:, : K.shape[1]], joined[:, K.shape[1] :]


def third_key():
    q = np.array([[1.0, 0.0, 1.0, 0.0]])
    return attention(q, *add_key(np.array([[1.0, 1, 0, 0], [0, 0, 1, 1]]), np.eye(2), q[0], np.ones(2)))


def dominant_key(weights):
    return np.argmax(weights, axis=1).astype(np.int64)
