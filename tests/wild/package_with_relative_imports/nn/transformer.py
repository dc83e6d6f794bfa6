import numpy as np

from .funcs import softmax


def attention(q, k, v):
    probs = softmax(q @ k.T / np.sqrt(q.shape[-1]), axis=-1)
    return probs @ v, probs
