"""Written for any number of leading axes, with swapaxes and a stored scale.

source: AkiRusProd/numpy-transformer, transformer/layers/combined/self_attention.py
attention: right
"""

import numpy as np


def attention(query, key, value):
    scale = key.shape[-1] ** 0.5
    energy = np.matmul(query, key.swapaxes(-1, -2)) / scale
    energy = energy - energy.max(axis=-1, keepdims=True)
    probabilities = np.exp(energy)
    probabilities /= probabilities.sum(axis=-1, keepdims=True)
    return np.matmul(probabilities, value), probabilities
