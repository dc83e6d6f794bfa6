"""len(key) counts the keys, not their features.

source: RasKrebs/llms4code_code_quality, attention/opencodeinterpreter/medium.py
attention: wrong, E1-05
"""

import numpy as np


def attention(query, key, value):
    dots = np.dot(query, key.T) / np.sqrt(len(key))
    dots = np.exp(dots - dots.max(axis=1, keepdims=True))
    share = dots / dots.sum(axis=1, keepdims=True)
    return np.dot(share, value), share
