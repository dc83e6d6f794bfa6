"""The asked-for names are objects with __call__."""

import numpy as np


class Softmax:
    def __call__(self, x, axis=-1):
        e = np.exp(x - np.max(x, axis=axis, keepdims=True))
        return e / e.sum(axis=axis, keepdims=True)


class Attention:
    def __init__(self, weigh):
        self.weigh = weigh

    def __call__(self, Q, K, V):
        weights = self.weigh(Q @ K.T / np.sqrt(Q.shape[1]))
        return weights @ V, weights


class Adder:
    def __call__(self, K, V, key, value):
        return np.vstack([K, key]), np.vstack([V, value])


class Example:
    q = np.array([[1.0, 0.0, 1.0, 0.0]])
    K = np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]])
    V = np.array([[1.0, 0.0], [0.0, 1.0]])

    def __call__(self):
        return attention(self.q, *add_key(self.K, self.V, self.q[0], np.ones(2)))


class Winner:
    def __call__(self, weights):
        return np.argmax(weights, axis=1)


softmax = Softmax()
attention = Attention(softmax)
add_key = Adder()
third_key = Example()
dominant_key = Winner()
