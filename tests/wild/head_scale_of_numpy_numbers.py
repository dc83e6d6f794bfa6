"""Both numbers by NumPy, with the width of a head computed by whole-number division first.

source: JackHanke/nets, models/attention/attention.py (d_k = d_model // h, then a root)
head_scale: right
score_variance: right
"""

import numpy as np


def width_of_head(d_model, h):
    return d_model // h


def head_scale(d_k, num_heads):
    return np.reciprocal(np.sqrt(np.float64(width_of_head(d_k, num_heads))))


def score_variance(d_k, num_heads):
    return np.float64(width_of_head(d_k, num_heads))
