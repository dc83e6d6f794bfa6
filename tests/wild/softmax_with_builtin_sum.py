"""Powers of e, added up by Python's own sum, which walks along the first axis.

source: gabrielhan23/vision, testing.py; kyoro1/udacity_deep_learning, L1_softmax.py
softmax: wrong, E1-10 + E1-14
"""

import numpy as np


def softmax(array, axis=-1):
    numerators = np.e ** np.asarray(array)
    return numerators / sum(numerators)
