"""Right numbers, handed back as nested lists.

source: thealper2/deep-ml-solutions, 0400-0499/0490-Build-Scaled-Dot-Product-Attention.py
attention: wrong, unnamed: lists in place of arrays
"""

import numpy as np


def attention(Q, K, V):
    scores = np.matmul(Q, K.T) / np.sqrt(Q.shape[-1])
    raised = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    weights = raised / np.sum(raised, axis=-1, keepdims=True)
    return np.matmul(weights, V).tolist(), weights.tolist()
