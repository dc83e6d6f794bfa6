"""Nothing but loops over single numbers."""

import math

import numpy as np


def softmax_of_row(row):
    top = row[0]
    for score in row:
        if score > top:
            top = score
    exponentials = []
    total = 0.0
    for score in row:
        exponentials.append(math.exp(score - top))
        total += exponentials[-1]
    return [e / total for e in exponentials]


def softmax(x, axis=-1):
    result = np.zeros(np.shape(x))
    last = np.moveaxis(x, axis, -1)
    view = np.moveaxis(result, axis, -1)
    for index in np.ndindex(last.shape[:-1]):
        view[index] = softmax_of_row(list(last[index]))
    return result


def attention(Q, K, V):
    n, d_k = Q.shape
    m, d_v = V.shape
    weights = np.zeros((n, m))
    output = np.zeros((n, d_v))
    for i in range(n):
        scores = []
        for j in range(m):
            score = 0.0
            for k in range(d_k):
                score += Q[i, k] * K[j, k]
            scores.append(score / math.sqrt(d_k))
        shares = softmax_of_row(scores)
        for j in range(m):
            weights[i, j] = shares[j]
            for k in range(d_v):
                output[i, k] += shares[j] * V[j, k]
    return output, weights


def add_key(K, V, key, value):
    new_K = np.zeros((K.shape[0] + 1, K.shape[1]))
    new_V = np.zeros((V.shape[0] + 1, V.shape[1]))
    for j in range(K.shape[0]):
        new_K[j] = K[j]
        new_V[j] = V[j]
    new_K[-1] = key
    new_V[-1] = value
    return new_K, new_V


def third_key():
    q = np.array([[1.0, 0.0, 1.0, 0.0]])
    K, V = add_key(np.array([[1.0, 1, 0, 0], [0, 0, 1, 1]]), np.array([[1.0, 0], [0, 1]]), q[0], np.array([1.0, 1]))
    return attention(q, K, V)


def dominant_key(weights):
    winners = np.zeros(len(weights), dtype=int)
    for i, row in enumerate(weights):
        for j, weight in enumerate(row):
            if weight > row[winners[i]]:
                winners[i] = j
    return winners
