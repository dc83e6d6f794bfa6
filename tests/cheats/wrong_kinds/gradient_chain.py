"""Texts, None, dictionaries, generators, functions: nothing that holds numbers.

At most 1 of 95 points in all.
"""

CHAIN = {"values matmul": 1, "softmax Jacobian": 2, "scale": 3, "scores matmul": 4}


def softmax_jacobian(z):
    return b"0000"


def grad_weights(dO, V):
    return range(3)


def grad_scores(weights, dA):
    return {1.0, 2.0}


def grad_queries(dS, K):
    return NotImplemented


def attention_grad_q(Q, K, V, dO):
    return ...


def numerical_gradient(f, x, h=1e-5):
    return f
