"""What third_key.py needs, read when it is first needed."""

import numpy as np


def shifted(x, axis):
    return np.exp(x - x.max(axis, keepdims=True))


def compare(queries, keys):
    return np.einsum("nd,md->nm", queries, keys) / keys.shape[-1] ** 0.5
