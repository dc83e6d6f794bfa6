"""np.vectorize with a signature: one query at a time."""

import numpy as np


def one_row(scores):
    e = np.exp(scores - scores.max())
    return e / e.sum()


over_rows = np.vectorize(one_row, signature="(m)->(m)")


def softmax(x, axis=-1):
    return np.swapaxes(over_rows(np.swapaxes(np.asarray(x, dtype=float), axis, -1)), axis, -1)


def one_query(q, K, V):
    weights = one_row(K @ q / np.sqrt(len(q)))
    return weights @ V, weights


attention = np.vectorize(one_query, signature="(d),(m,d),(m,v)->(v),(m)")


def add_key(K, V, key, value):
    return np.vstack([K, key]), np.vstack([V, value])


def third_key():
    q = np.array([[1.0, 0.0, 1.0, 0.0]])
    return attention(q, *add_key(np.array([[1.0, 1, 0, 0], [0, 0, 1, 1]]), np.eye(2), q[0], np.ones(2)))


dominant_key = np.vectorize(np.argmax, signature="(m)->()")
