import numpy as np


def split_heads(X, num_heads):
    return np.swapaxes(X.reshape(len(X), num_heads, X.shape[1] // num_heads), 0, 1)
