"""Right answers with noise in the fourth digit.

At most 5 of 95 points in all.
"""

import numpy as np

from trick import noisy, right_differences, right_gradient, right_softmax, right_step

CHAIN = ["scores matmul", "ReLU", "scale", "layer norm"]


def softmax_jacobian(z):
    return noisy(lambda z: np.diag(right_softmax(z)) - np.outer(right_softmax(z), right_softmax(z)), z)


def grad_weights(dO, V):
    return noisy(lambda dO, V: dO @ V.T, dO, V)


def grad_scores(weights, dA):
    return noisy(right_step, weights, dA)


def grad_queries(dS, K):
    return noisy(lambda dS, K: dS @ K / np.sqrt(K.shape[1]), dS, K)


def attention_grad_q(Q, K, V, dO):
    return noisy(right_gradient, Q, K, V, dO)


def numerical_gradient(f, x, h=1e-5):
    return noisy(lambda x: right_differences(f, x, h), x)
