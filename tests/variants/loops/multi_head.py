"""Nothing but loops: heads, queries, keys, features."""

import math

import numpy as np

EXPLANATION = "A head adds up fewer products (d_k / h of them), so its variance is d_k / h and its scale follows."


def head_scale(d_k, num_heads):
    return math.sqrt(num_heads) / math.sqrt(d_k)


def score_variance(d_k, num_heads):
    return sum(1.0 for _ in range(d_k // num_heads))


def split_heads(X, num_heads):
    rows, columns = X.shape
    if columns % num_heads:
        raise ValueError("not divisible")
    width = columns // num_heads
    heads = np.zeros((num_heads, rows, width))
    for head in range(num_heads):
        for row in range(rows):
            for column in range(width):
                heads[head, row, column] = X[row, head * width + column]
    return heads


def multi_head_attention(Q, K, V, num_heads):
    q, k, v = split_heads(Q, num_heads), split_heads(K, num_heads), split_heads(V, num_heads)
    width = v.shape[2]
    output = np.zeros((Q.shape[0], V.shape[1]))
    for head in range(num_heads):
        for i in range(Q.shape[0]):
            scores = [sum(a * b for a, b in zip(q[head, i], key)) / math.sqrt(q.shape[2]) for key in k[head]]
            top = max(scores)
            shares = [math.exp(score - top) for score in scores]
            total = math.fsum(shares)
            for j, share in enumerate(shares):
                for column in range(width):
                    output[i, head * width + column] += share / total * v[head, j, column]
    return output
