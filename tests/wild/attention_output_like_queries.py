"""One query after the other with running maximum and sum; the output has the shape of the queries.

source: oreo-lp/flash-attention-numpy, flash.py
attention: wrong, E1-46
"""

import math

import numpy as np


def attention(q, k, v):
    out = np.zeros(q.shape)
    scale = 1 / math.sqrt(q.shape[1])
    for i in range(len(q)):
        top, bottom = -np.inf, 0.0
        acc = np.zeros(v.shape[1])
        for j in range(len(k)):
            s = float(q[i] @ k[j]) * scale
            new = max(top, s)
            keep, p = math.exp(top - new), math.exp(s - new)
            bottom = bottom * keep + p
            acc = acc * keep + p * v[j]
            top = new
        out[i, :] = acc / bottom
    scores = q @ k.T * scale
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    return out, p / p.sum(axis=1, keepdims=True)
