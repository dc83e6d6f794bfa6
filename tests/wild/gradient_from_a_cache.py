"""A layer that keeps what it needs on the way forward and divides the error by the scale on the way back.

source: AkiRusProd/numpy-transformer, transformer/layers/combined/self_attention.py
attention_grad_q: right
"""

import numpy as np


class Activation:
    def forward(self, x):
        e = np.exp(x - np.max(x, axis=-1, keepdims=True))
        self.softmax = e / np.sum(e, axis=-1, keepdims=True)
        return self.softmax

    def backward(self, grad):
        s = self.softmax
        J = s[..., np.newaxis] * (np.eye(s.shape[-1]) - s[..., np.newaxis, :])
        return np.einsum("...ij,...j->...i", J, grad)


class Layer:
    def __init__(self, width):
        self.scale = np.sqrt(width)
        self.activation = Activation()

    def forward(self, Q, K, V):
        self.K, self.V = K, V
        return self.activation.forward(Q @ K.T / self.scale) @ V

    def backward(self, error):
        error = self.activation.backward(error @ self.V.T)
        return (error / self.scale) @ self.K


def attention_grad_q(Q, K, V, dO):
    layer = Layer(Q.shape[-1])
    layer.forward(Q, K, V)
    return layer.backward(dO)
