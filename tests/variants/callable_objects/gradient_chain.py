"""The chain as a list of stage objects; the asked-for names are bound from them."""

import numpy as np

from third_key import attention, softmax


class Product:
    name = "values matmul"

    def __call__(self, dO, V):
        return dO @ V.T


class Normalised:
    name = "softmax Jacobian"

    def __call__(self, weights, dA):
        return weights * (dA - np.sum(weights * dA, axis=-1, keepdims=True))


class Scores:
    name = "scores matmul"

    def __call__(self, dS, K):
        return dS @ K / np.sqrt(K.shape[-1])


grad_weights, grad_scores, grad_queries = Product(), Normalised(), Scores()
CHAIN = [grad_weights.name, grad_scores.name, "scale", grad_queries.name]


class Chain:
    def __call__(self, Q, K, V, dO):
        return grad_queries(grad_scores(attention(Q, K, V)[1], grad_weights(dO, V)), K)


class Jacobian:
    def __call__(self, z):
        s = softmax(z)
        return np.diag(s) - np.outer(s, s)


class Differences:
    def __init__(self, order=1.0):
        self.order = order

    def __call__(self, f, x, h=1e-5):
        x = np.asarray(x, dtype=float)
        gradient = np.zeros_like(x)
        for index in np.ndindex(x.shape):
            gradient[index] = self.slope(f, x, index, h)
        return gradient

    def slope(self, f, x, index, h):
        values = []
        for sign in (self.order, -self.order):
            moved = x.copy()
            moved[index] += sign * h
            values.append(f(moved))
        return (values[0] - values[1]) / (2 * h)


attention_grad_q, softmax_jacobian, numerical_gradient = Chain(), Jacobian(), Differences()
