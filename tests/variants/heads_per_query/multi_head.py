"""One query and one head at a time, as a list of lists of vectors, joined at the end."""

import numpy as np

EXPLANATION = "Each head: d_k / h features, variance d_k / h."


def head_scale(d_k, num_heads):
    return np.linalg.norm(np.ones(d_k // num_heads)) ** -1


def score_variance(d_k, num_heads):
    return len(range(0, d_k, num_heads))


def split_heads(X, num_heads):
    if X.shape[1] % num_heads:
        raise ValueError("indivisible")
    width = X.shape[1] // num_heads
    return np.array([[row[start : start + width] for row in X] for start in range(0, X.shape[1], width)])


def multi_head_attention(Q, K, V, num_heads):
    heads = list(zip(split_heads(Q, num_heads), split_heads(K, num_heads), split_heads(V, num_heads)))
    rows = []
    for i in range(len(Q)):
        pieces = []
        for q, k, v in heads:
            scores = k @ q[i] / np.sqrt(q.shape[1])
            e = np.exp(scores - scores.max())
            pieces.append(e @ v / e.sum())
        rows.append(np.concatenate(pieces))
    return np.array(rows)
