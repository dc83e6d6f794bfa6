"""float32 in the formulas: right to seven digits, full marks with a note. Differences stay in double precision."""

import numpy as np

from third_key import attention, softmax

CHAIN = ["values matmul", "softmax Jacobian", "scale", "scores matmul"]


def softmax_jacobian(z):
    s = softmax(z)
    return np.diag(s) - np.outer(s, s)


def grad_weights(dO, V):
    return dO.astype(np.float32) @ V.astype(np.float32).T


def grad_scores(weights, dA):
    weights, dA = weights.astype(np.float32), dA.astype(np.float32)
    return weights * (dA - (weights * dA).sum(axis=1, keepdims=True))


def grad_queries(dS, K):
    return dS.astype(np.float32) @ K.astype(np.float32) / np.sqrt(np.float32(K.shape[1]))


def attention_grad_q(Q, K, V, dO):
    _, weights = attention(Q, K, V)
    return grad_queries(grad_scores(weights, grad_weights(dO, V)), K)


def numerical_gradient(f, x, h=1e-5):
    x = np.asarray(x, dtype=np.float64)
    gradient = np.zeros_like(x)
    for index in np.ndindex(x.shape):
        move = np.zeros_like(x)
        move[index] = h
        gradient[index] = (f(x + move) - f(x - move)) / (2 * h)
    return gradient
