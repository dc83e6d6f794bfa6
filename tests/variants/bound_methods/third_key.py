"""The asked-for names are bound methods of one object."""

import numpy as np


class Attender:
    def __init__(self, axis=-1):
        self.axis = axis

    def softmax(self, x, axis=None):
        axis = self.axis if axis is None else axis
        e = np.exp(x - np.max(x, axis=axis, keepdims=True))
        return e / np.sum(e, axis=axis, keepdims=True)

    def attend(self, Q, K, V):
        weights = self.softmax(Q @ K.T / np.sqrt(Q.shape[1]))
        return weights @ V, weights

    @staticmethod
    def extend(K, V, key, value):
        return np.vstack([K, key]), np.vstack([V, value])

    @classmethod
    def example(cls):
        q = np.array([[1.0, 0.0, 1.0, 0.0]])
        K = np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]])
        return cls().attend(q, *cls.extend(K, np.eye(2), q[0], np.ones(2)))


attender = Attender()
softmax = attender.softmax
attention = attender.attend
add_key = Attender.extend
third_key = Attender.example
dominant_key = lambda weights: weights.argmax(1)
