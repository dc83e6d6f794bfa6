"""Each row meets its own Jacobian.

source: marjanme/transformer-numpy, implementation/transformer_helper.py
grad_scores: right
"""

import numpy as np


def grad_scores(weights, dA):
    result = np.zeros(weights.shape)
    for idx in range(weights.shape[0]):
        s = weights[idx]
        jac = np.diag(s) - np.outer(s, s)
        result[idx] = dA[idx] @ jac.T
    return result
