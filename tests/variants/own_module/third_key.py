"""The work is done in a second file, which this one imports."""

import numpy as np

import stable
from stable import softmax as stable_softmax


def softmax(x, axis=-1):
    return stable_softmax(x, axis)


def attention(Q, K, V):
    return stable.average(V, stable_softmax(stable.compare(Q, K), -1))


def add_key(K, V, key, value):
    return stable.append(K, key), stable.append(V, value)


def third_key():
    return attention(stable.Q, *add_key(stable.K, stable.V, stable.Q[0], np.ones(2)))


def dominant_key(weights):
    return np.argmax(weights, axis=1)
