"""A small number is added to every exponential, then the rows are normalised.

source: RasKrebs/llms4code_code_quality, attention/gemini/long.py
attention: right, E1-17
"""

import numpy as np

EPS = 1e-8


def attention(q, k, v):
    scores = np.matmul(q, k.T) / np.sqrt(k.shape[1])
    raised = np.exp(scores - np.max(scores, axis=-1, keepdims=True)) + EPS
    raised = raised / np.sum(raised, axis=-1, keepdims=True)
    return np.matmul(raised, v), raised
