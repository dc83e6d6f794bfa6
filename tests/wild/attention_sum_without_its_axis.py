"""Row sums lose their axis and divide the columns; nothing is shifted.

source: RasKrebs/llms4code_code_quality, attention/magicoder/medium.py
attention: wrong, E1-14 + E1-35
"""

import numpy as np


def attention(Q, K, V):
    logits = np.matmul(Q, K.T) / Q.shape[1] ** 0.5
    weights = np.exp(logits) / np.sum(np.exp(logits), axis=1)
    return np.matmul(weights, V), weights
