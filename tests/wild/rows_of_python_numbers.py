"""Plain Python on rows of numbers, row by row; arrays are made at the end.

source: Haleshot/Deep-ML, easy/Log_Softmax/Log_Softmax.py; thealper2/deep-ml-solutions, 0900-0999/0962-Compare-Naive-vs-Stable-Softmax-for-Attention-Scores.py
attention: right
grad_queries: right
"""

import math

import numpy as np


def shares(scores):
    peak = max(scores)
    raised = [math.exp(s - peak) for s in scores]
    total = sum(raised)
    return [r / total for r in raised]


def attention(Q, K, V):
    d_k = len(Q[0])
    weights = [shares([sum(a * b for a, b in zip(q, k)) / math.sqrt(d_k) for k in K]) for q in Q]
    outputs = [[sum(w * v[j] for w, v in zip(row, V)) for j in range(len(V[0]))] for row in weights]
    return np.array(outputs), np.array(weights)


def grad_queries(dS, K):
    root = math.sqrt(len(K[0]))
    return np.array([[sum(s * k[j] for s, k in zip(row, K)) / root for j in range(len(K[0]))] for row in dS])
