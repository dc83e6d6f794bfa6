"""The Jacobian of each query's own row, multiplied as a matrix."""

import numpy as np

from third_key import attention, softmax

CHAIN = ["Values Matmul", "Softmax jacobian", "Scores-Matmul", "SCALE"]


def jacobian_of_weights(s):
    return np.diagflat(s) - s[:, None] @ s[None, :]


def softmax_jacobian(z):
    return jacobian_of_weights(softmax(z))


def grad_weights(dO, V):
    return np.stack([V @ row for row in dO])


def grad_scores(weights, dA):
    return np.stack([jacobian_of_weights(row) @ da for row, da in zip(weights, dA)])


def grad_queries(dS, K):
    return np.stack([K.T @ row for row in dS]) / K.shape[1] ** 0.5


def attention_grad_q(Q, K, V, dO):
    _, weights = attention(Q, K, V)
    rows = [K.T @ jacobian_of_weights(w) @ V @ upstream / Q.shape[1] ** 0.5 for w, upstream in zip(weights, dO)]
    return np.array(rows)


def numerical_gradient(f, x, h=1e-5):
    flat = np.array(x, dtype=np.float64).ravel()
    gradient = np.empty_like(flat)
    for i in range(flat.size):
        up, down = flat.copy(), flat.copy()
        up[i] += h
        down[i] -= h
        gradient[i] = (f(up.reshape(x.shape)) - f(down.reshape(x.shape))) / (up[i] - down[i])
    return gradient.reshape(x.shape)
