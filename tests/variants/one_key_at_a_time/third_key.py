"""functools.reduce over the keys, each joined to a triple of maximum, sum and gathered values."""

from functools import reduce

import numpy as np


def softmax(x, axis=-1):
    return np.apply_along_axis(of_vector, axis, x)


def of_vector(scores):
    top, total, _ = reduce(join, ((s, 1.0, 0.0) for s in scores))
    return np.exp(scores - top) / total


def join(one, other):
    top = np.maximum(one[0], other[0])
    left, right = np.exp(one[0] - top), np.exp(other[0] - top)
    return top, one[1] * left + other[1] * right, one[2] * left + other[2] * right


def attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    singles = ((scores[:, j : j + 1], 1.0, V[j : j + 1]) for j in range(len(K)))
    top, total, gathered = reduce(join, singles)
    return np.broadcast_to(gathered / total, (len(Q), V.shape[1])).copy(), np.exp(scores - top) / total


def add_key(K, V, key, value):
    return np.vstack([*K, key]), np.vstack([*V, value])


def third_key():
    q = np.array([[1.0, 0.0, 1.0, 0.0]])
    return attention(q, *add_key(np.array([[1.0, 1, 0, 0], [0, 0, 1, 1]]), np.eye(2), q[0], np.ones(2)))


def dominant_key(weights):
    return np.array([max(range(len(row)), key=row.__getitem__) for row in weights])
