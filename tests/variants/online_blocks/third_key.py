"""Online softmax, three keys at a time; the weights from the final maximum and sum."""

import numpy as np

BLOCK = 3


def softmax(x, axis=-1):
    rows = np.moveaxis(np.asarray(x, dtype=float), axis, -1)
    top, total = running(rows)
    return np.moveaxis(np.exp(rows - top) / total, -1, axis)


def running(rows):
    top = np.full(rows.shape[:-1] + (1,), -np.inf)
    total = np.zeros_like(top)
    for start in range(0, rows.shape[-1], BLOCK):
        block = rows[..., start : start + BLOCK]
        higher = np.maximum(top, block.max(axis=-1, keepdims=True))
        total = total * np.exp(top - higher) + np.exp(block - higher).sum(axis=-1, keepdims=True)
        top = higher
    return top, total


def attention(Q, K, V):
    root = np.sqrt(Q.shape[1])
    top = np.full((len(Q), 1), -np.inf)
    total = np.zeros((len(Q), 1))
    gathered = np.zeros((len(Q), V.shape[1]))
    for start in range(0, len(K), BLOCK):
        scores = Q @ K[start : start + BLOCK].T / root
        higher = np.maximum(top, scores.max(axis=1, keepdims=True))
        fade, e = np.exp(top - higher), np.exp(scores - higher)
        total = total * fade + e.sum(axis=1, keepdims=True)
        gathered = gathered * fade + e @ V[start : start + BLOCK]
        top = higher
    return gathered / total, np.exp(Q @ K.T / root - top) / total


def add_key(K, V, key, value):
    return np.vstack([K, key]), np.vstack([V, value])


def third_key():
    q = np.array([[1.0, 0.0, 1.0, 0.0]])
    K = np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0], [1.0, 0.0, 1.0, 0.0]])
    return attention(q, K, np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]))


def dominant_key(weights):
    best = np.zeros(len(weights), dtype=np.intp)
    rows = np.arange(len(weights))
    for j in range(weights.shape[1]):
        best = np.where(weights[:, j] > weights[rows, best], j, best)
    return best
