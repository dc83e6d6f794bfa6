"""Powers of two, with log2(e) folded into the scores."""

import numpy as np

LOG2_E = np.log2(np.e)


def softmax(x, axis=-1):
    powers = np.exp2((x - np.max(x, axis=axis, keepdims=True)) * LOG2_E)
    return powers / powers.sum(axis=axis, keepdims=True)


def attention(Q, K, V):
    bits = Q @ K.T * (LOG2_E / np.sqrt(Q.shape[1]))
    powers = np.exp2(bits - bits.max(axis=1)[:, None])
    weights = powers / powers.sum(axis=1)[:, None]
    return weights @ V, weights


def add_key(K, V, key, value):
    return np.insert(K.astype(float), len(K), key, axis=0), np.insert(V.astype(float), len(V), value, axis=0)


def third_key():
    q = np.array([1.0, 0.0, 1.0, 0.0])
    K = np.stack([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0], q])
    return attention(q[None], K, np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]))


def dominant_key(weights):
    return np.argmin(-weights, axis=1)
