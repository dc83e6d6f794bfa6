"""The points are two steps apart, and the difference is divided by one.

source: markroxor/fromscratchtoml, issue 65; BVLC/caffe, issue 6814
numerical_gradient: wrong, FD-03
"""

import numpy as np


def numerical_gradient(f, x, eps=1e-5):
    base = np.array(x, dtype=float)
    estimated = np.empty(base.shape)
    for feature in np.ndindex(base.shape):
        positive, negative = base.copy(), base.copy()
        positive[feature] += eps
        negative[feature] -= eps
        estimated[feature] = (f(positive) - f(negative)) / eps
    return estimated
