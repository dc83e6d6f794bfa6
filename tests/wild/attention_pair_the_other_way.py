"""First the weights, then the context.

source: uxk44190/Assignment-5, Dot Product.ipynb
attention: wrong, E1-27
"""

import numpy as np


def attention(Q, K, V):
    scores = np.matmul(Q, K.T) / np.sqrt(Q.shape[-1])
    grown = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    attention_weights = grown / np.sum(grown, axis=-1, keepdims=True)
    return attention_weights, np.matmul(attention_weights, V)
