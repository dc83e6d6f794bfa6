"""The maximum is subtracted in the caller's own array; row by row for two axes and more, as a whole for one.

source: kingtaurus/cs224d, assignment1/q1_softmax_sol.py; ZacBi/CS224n-2019-solutions, assignments/a2/test.py
softmax: wrong, E1-26 + E1-74: the axis is chosen by the number of axes
misnamed: the change in place hides the axis
"""

import numpy as np


def softmax(x, axis=-1):
    if len(x.shape) > 1:
        top = np.max(x, axis=1)
        x -= top.reshape((x.shape[0], 1))
        x = np.exp(x)
        x /= np.sum(x, axis=1).reshape((x.shape[0], 1))
    else:
        x -= np.max(x)
        x = np.exp(x)
        x /= np.sum(x)
    return x
