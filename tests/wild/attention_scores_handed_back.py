"""The output is right; beside it stand the scaled scores, under the name of weights.

source: RasKrebs/llms4code_code_quality, attention/magicoder/medium.py (what it returns beside the output)
attention: wrong, E1-68
"""

import numpy as np


def attention(Q, K, V):
    logits = Q @ K.T / np.sqrt(K.shape[1])
    up = np.exp(logits - logits.max(axis=1, keepdims=True))
    out = up / up.sum(axis=1, keepdims=True) @ V
    weights = logits
    return out, weights
