"""The width of somebody's model is written in as a number.

source: thxuan/Deep-ML-solutions, Deep-ML/NLP/hard/1GPT-2 Text Generation.py
attention: wrong, unnamed: the divisor is the constant sqrt(5)
"""

import numpy as np


def attention(Q, K, V):
    S = Q @ K.T / np.sqrt(5)
    S = np.exp(S - np.amax(S, axis=1, keepdims=True))
    A = S / np.sum(S, axis=1, keepdims=True)
    return A @ V, A
