"""Layers with forward and backward, and an instance under the name that is asked for.

source: knarfamlap/neural_nets_from_scratch, layers/activation.py; ChristianByabushi/transformers, mytorch/nn/activation.py
softmax: right
grad_scores: right
"""

import numpy as np


class SoftmaxLayer:
    def __init__(self, dim=-1):
        self.dim = dim
        self.A = None

    def forward(self, Z, dim=None):
        axis = self.dim if dim is None else dim
        Z = np.exp(Z - np.max(Z, axis=axis, keepdims=True))
        self.A = Z / np.sum(Z, axis=axis, keepdims=True)
        return self.A

    __call__ = forward

    def backward(self, dLdA, A=None):
        A = self.A if A is None else A
        return A * (dLdA - np.sum(dLdA * A, axis=self.dim, keepdims=True))


softmax = SoftmaxLayer()


def grad_scores(weights, dA):
    return softmax.backward(dA, A=weights)
