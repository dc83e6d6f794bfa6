"""Nothing but loops; the Jacobian entry by entry with a Kronecker delta."""

import math

import numpy as np

from third_key import softmax_of_row

CHAIN = ["values matmul", "softmax Jacobian", "scale", "scores matmul"]


def softmax_jacobian(z):
    s = softmax_of_row([float(logit) for logit in z])
    J = np.zeros((len(s), len(s)))
    for i in range(len(s)):
        for j in range(len(s)):
            delta = 1.0 if i == j else 0.0
            J[i, j] = s[i] * (delta - s[j])
    return J


def grad_weights(dO, V):
    dA = np.zeros((len(dO), len(V)))
    for i in range(len(dO)):
        for j in range(len(V)):
            dA[i, j] = sum(dO[i, c] * V[j, c] for c in range(V.shape[1]))
    return dA


def grad_scores(weights, dA):
    dS = np.zeros(weights.shape)
    for i in range(weights.shape[0]):
        for j in range(weights.shape[1]):
            for k in range(weights.shape[1]):
                delta = 1.0 if j == k else 0.0
                dS[i, j] += dA[i, k] * weights[i, k] * (delta - weights[i, j])
    return dS


def grad_queries(dS, K):
    dQ = np.zeros((dS.shape[0], K.shape[1]))
    for i in range(dS.shape[0]):
        for j in range(dS.shape[1]):
            for k in range(K.shape[1]):
                dQ[i, k] += dS[i, j] * K[j, k] / math.sqrt(K.shape[1])
    return dQ


def attention_grad_q(Q, K, V, dO):
    weights = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        weights[i] = softmax_of_row([sum(a * b for a, b in zip(Q[i], k)) / math.sqrt(Q.shape[1]) for k in K])
    return grad_queries(grad_scores(weights, grad_weights(dO, V)), K)


def numerical_gradient(f, x, h=1e-5):
    x = x.astype(float)
    gradient = np.zeros(x.shape)
    for position in range(x.size):
        before = x.flat[position]
        x.flat[position] = before + h
        ahead = f(x)
        x.flat[position] = before - h
        behind = f(x)
        x.flat[position] = before
        gradient.flat[position] = (ahead - behind) / (2 * h)
    return gradient
