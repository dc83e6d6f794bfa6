"""Scores are cut at a billion, where nothing is, and then shifted as usual.

source: RasKrebs/llms4code_code_quality, attention/gemini/medium.py
attention: right
"""

import numpy as np


def attention(Q, K, V):
    d_k = Q.shape[1]
    scores = np.clip(np.matmul(Q, K.transpose()) / np.sqrt(d_k), -1e9, 1e9)
    e = np.exp(scores - np.max(scores, axis=1, keepdims=True))
    attn = e / np.sum(e, axis=1, keepdims=True)
    return np.matmul(attn, V), attn
