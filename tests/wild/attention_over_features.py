"""Features attend to features: queries and values are turned, and d_k is read from the first axis.

source: RasKrebs/llms4code_code_quality, attention/gpt-35-turbo/long.py
attention: wrong, unnamed: softmax(Q^T K / sqrt(n)) V^T, a matrix of features by features
"""

import numpy as np


def attention(Q, K, V):
    d_k = Q.shape[0]
    att = np.matmul(Q.T, K) / np.sqrt(d_k)
    att = np.exp(att - np.max(att, axis=1, keepdims=True))
    att /= np.sum(att, axis=1, keepdims=True)
    return np.matmul(att, V.T), att
