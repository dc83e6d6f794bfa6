"""A file a challenge, in folders whose names no import could spell.

source: Idk507/deep-ml_ml-challenge, Daily Challenge/Implement Self-Attention Mechanism.py; Jerry-0821/deep-ml-practice-solutions, deep-learning/medium
attention: right
split_heads: right
numerical_gradient: right
"""

import numpy as np


def attention(Q, K, V):
    scores = np.matmul(Q, K.T) / np.sqrt(Q.shape[1])
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    attention_weights = scores / scores.sum(axis=1, keepdims=True)
    return np.matmul(attention_weights, V), attention_weights
