"""Decorated with functools.wraps, and made with functools.partial."""

import functools

import numpy as np


def on_floats(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        args = [a.astype(float) if isinstance(a, np.ndarray) else a for a in args]
        return function(*args, **kwargs)

    return inner


@on_floats
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def attend(Q, K, V, *, weigh, root):
    weights = weigh(Q @ K.T / root(Q.shape[1]))
    return weights @ V, weights


attention = functools.partial(attend, weigh=softmax, root=np.sqrt)


@on_floats
def add_key(K, V, key, value):
    return np.vstack([K, key]), np.vstack([V, value])


@functools.lru_cache(maxsize=None)
def third_key():
    q = np.array([[1.0, 0.0, 1.0, 0.0]])
    return attention(q, *add_key(np.array([[1.0, 1, 0, 0], [0, 0, 1, 1]]), np.eye(2), q[0], np.ones(2)))


dominant_key = functools.partial(np.argmax, axis=1)
