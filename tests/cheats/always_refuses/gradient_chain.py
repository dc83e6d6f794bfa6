"""Every call raises ValueError, which is right for some of them.

At most 0 of 95 points in all.
"""

from trick import refuse

CHAIN = "none"


def softmax_jacobian(z):
    refuse(z)


def grad_weights(dO, V):
    refuse(dO)


def grad_scores(weights, dA):
    refuse(weights)


def grad_queries(dS, K):
    refuse(dS)


def attention_grad_q(Q, K, V, dO):
    refuse(Q)


def numerical_gradient(f, x, h=1e-5):
    refuse(f)
