"""Every stage is an einsum; the Jacobians of all rows as one array of three axes."""

import numpy as np

from third_key import attention, softmax

CHAIN = ["values matmul", "softmax Jacobian", "scale", "scores matmul"]


def softmax_jacobian(z):
    s = softmax(z)
    return np.einsum("i,ij->ij", s, np.eye(len(s))) - np.einsum("i,j->ij", s, s)


def grad_weights(dO, V):
    return np.einsum("nv,mv->nm", dO, V)


def grad_scores(weights, dA):
    jacobians = np.einsum("ni,ij->nij", weights, np.eye(weights.shape[1])) - np.einsum("ni,nj->nij", weights, weights)
    return np.einsum("ni,nij->nj", dA, jacobians)


def grad_queries(dS, K):
    return np.einsum("nm,md->nd", dS, K) / np.sqrt(K.shape[1])


def attention_grad_q(Q, K, V, dO):
    _, weights = attention(Q, K, V)
    return grad_queries(grad_scores(weights, grad_weights(dO, V)), K)


def numerical_gradient(f, x, h=1e-5):
    moves = h * np.eye(x.size).reshape(x.size, *x.shape)
    return np.array([(f(x + move) - f(x - move)) / (2 * h) for move in moves]).reshape(x.shape)
