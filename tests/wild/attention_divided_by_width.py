"""Blocks of queries, each divided by the width instead of by its root.

source: rwtarpit/assignment2-systems, cs336_systems/flash_attention/autograd.py
attention: wrong, E1-02
"""

import numpy as np

TILE = 16


def attention(q, k, v):
    width = q.shape[-1]
    outs, weights = [], []
    for start in range(0, q.shape[0], TILE):
        dots = (q[start : start + TILE] @ k.T) / width
        numer = np.exp(dots - dots.max(axis=-1, keepdims=True))
        share = numer / numer.sum(axis=-1, keepdims=True)
        weights.append(share)
        outs.append(share @ v)
    return np.concatenate(outs), np.concatenate(weights)
