"""Shifted by the maximum, and only then cut at -700: what is cut off is zero anyway.

source: thealper2/deep-ml-solutions, 0600-0699/0641-Gibbs-Softmax-Action-Selection.py
softmax: right
"""

import numpy as np


def softmax(q, axis=-1):
    q = np.array(q, dtype=np.float64)
    lowered = np.clip(q - q.max(axis=axis, keepdims=True), -700, 700)
    e = np.exp(lowered)
    return e / e.sum(axis=axis, keepdims=True)
