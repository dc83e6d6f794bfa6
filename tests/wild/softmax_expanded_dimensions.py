"""The lost axis is put back by hand, with expand_dims, on the maximum and on the sum.

source: nikunjpanchal22/code_clone_classification, python_t4_full/Clone_4855.py
softmax: right
"""

import numpy as np


def softmax(z, axis=-1):
    z = z - np.expand_dims(z.max(axis=axis), axis=axis)
    e = np.exp(z)
    return e / np.expand_dims(e.sum(axis=axis), axis=axis)
