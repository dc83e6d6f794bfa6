"""Other parameter names, positional-only and extra parameters, annotations that mean nothing."""

from __future__ import annotations

import numpy as np


def softmax(logits: Anything, dim: int = -1, /, *, temperature=1.0) -> Anything:
    scaled = np.asarray(logits) / temperature
    e = np.exp(scaled - scaled.max(dim, keepdims=True))
    return e / e.sum(dim, keepdims=True)


def attention(query, key, value, mask=None, dropout=0.0):
    scores = query @ key.T / np.sqrt(key.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ value, weights


def add_key(keys, values, *new):
    new_key, new_value = new
    return np.vstack([keys, new_key]), np.vstack([values, new_value])


def third_key(verbose=False):
    q = np.array([[1.0, 0.0, 1.0, 0.0]])
    out, w = attention(q, *add_key(np.array([[1.0, 1, 0, 0], [0, 0, 1, 1]]), np.eye(2), q[0], np.ones(2)))
    if verbose:
        print(out, w)
    return out, w


def dominant_key(a, **options):
    return np.argmax(a, axis=options.get("axis", 1))
