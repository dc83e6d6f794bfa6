"""s_i (delta_ij - s_j), by broadcasting against the identity.

source: samuel500/numpy-gpt, npgpt/tensor.py
softmax_jacobian: right
"""

import numpy as np


def softmax_jacobian(z):
    z = z - np.max(z, axis=-1, keepdims=True)
    s = np.exp(z)
    s = s / np.sum(s, axis=-1, keepdims=True)
    delta = np.eye(z.shape[-1])
    return s[..., None] * (delta - s[..., None, :])
