"""One lambda for each name."""

import numpy as np

softmax = lambda x, axis=-1: (lambda e: e / e.sum(axis, keepdims=True))(np.exp(x - np.max(x, axis, keepdims=True)))
attention = lambda Q, K, V: (lambda w: (w @ V, w))(softmax(Q @ K.T / np.sqrt(Q.shape[1])))
add_key = lambda K, V, key, value: (np.vstack([K, key]), np.vstack([V, value]))
third_key = lambda: attention(
    np.array([[1.0, 0, 1, 0]]),
    *add_key(np.array([[1.0, 1, 0, 0], [0, 0, 1, 1]]), np.eye(2), np.array([1.0, 0, 1, 0]), np.ones(2)),
)
dominant_key = lambda weights: np.argmax(weights, axis=1)
