"""Right along every axis, but the shift is written into the array that was handed in.

source: samuel500/numpy-gpt, npgpt/tensor.py
softmax: wrong, E1-26
"""

import numpy as np


def softmax(data, axis=-1):
    data -= np.max(data, axis=axis, keepdims=True)
    e = np.exp(data)
    return e / np.sum(e, axis=axis, keepdims=True)
