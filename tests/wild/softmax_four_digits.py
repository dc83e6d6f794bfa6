"""Every probability is rounded to four digits before it is handed back.

source: vossr/solutions-deep-ml, 23.py; praj-pawar/deep-ml-solutions, 23.py
softmax: wrong, E1-72: rounded to four digits
"""

import numpy as np


def softmax(scores, axis=-1):
    scores = np.asarray(scores, dtype=float)
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return np.round(e / e.sum(axis=axis, keepdims=True), 4)
