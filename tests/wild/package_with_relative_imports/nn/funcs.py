import numpy as np


def softmax(x, axis=-1):
    top = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return top / np.sum(top, axis=axis, keepdims=True)
