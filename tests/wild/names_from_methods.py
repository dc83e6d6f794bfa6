"""Static methods of one class and a bound method of another get the names that are asked for.

source: RasKrebs/llms4code_code_quality, attention/opencodeinterpreter/medium.py (a class of static methods)
softmax: right
attention: right
"""

import numpy as np


class Attention:
    @staticmethod
    def softmax(x, axis=-1):
        e = np.exp(x - np.max(x, axis=axis, keepdims=True))
        return e / np.sum(e, axis=axis, keepdims=True)

    def __init__(self):
        self.calls = 0

    def scaled_dot_product_attention(self, query, key, value):
        self.calls += 1
        weights = Attention.softmax(np.dot(query, key.T) / np.sqrt(key.shape[1]))
        return np.dot(weights, value), weights


softmax = Attention.softmax
attention = Attention().scaled_dot_product_attention
