"""The weights times what comes in; the row's dot product is forgotten.

source: HomericIntelligence/Odyssey, issue 2134
grad_scores: wrong, E3B-02
"""

import numpy as np


def grad_scores(weights, dA):
    return np.multiply(weights, dA)
