import numpy as np
from helpers import root
from softmax import softmax


def attention(q, k, v):
    att = softmax(q @ k.T / root(k.shape[1]))
    return att @ v, att
