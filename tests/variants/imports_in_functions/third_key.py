"""A second file and a library are imported inside the functions that use them."""

import numpy as np


def softmax(x, axis=-1):
    from pieces import shifted

    powers = shifted(np.asarray(x), axis)
    return powers / powers.sum(axis, keepdims=True)


def attention(Q, K, V):
    import pieces

    weights = softmax(pieces.compare(Q, K))
    return weights @ V, weights


def add_key(K, V, key, value):
    from numpy import vstack

    return vstack([K, key]), vstack([V, value])


def third_key():
    import numpy.linalg as la

    q = np.array([[1.0, 0.0, 1.0, 0.0]])
    K = np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]])
    K, V = add_key(K, np.eye(2), q[0], la.inv(np.eye(2))[0] + [0.0, 1.0])
    return attention(q, K, V)


def dominant_key(weights):
    return np.argmax(weights, axis=1)
