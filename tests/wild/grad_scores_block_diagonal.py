"""One large Jacobian for all rows at once, with zeros where rows would meet.

source: rziga/numpy-is-all-you-need, src/nn/layers/activations.py (the version that it replaced)
grad_scores: right
"""

import numpy as np


def grad_scores(weights, dA):
    n, m = weights.shape
    flat = weights.reshape(1, -1)
    D = np.diag(flat[0]) - flat.T * flat
    D = D * np.kron(np.eye(n), np.ones((m, m)))
    return (dA.reshape(1, -1) @ D).reshape(n, m)
