"""The factor is that of the whole embedding, in each head.

source: Graylab/DL4Proteins-notebooks, issue 12; omihub777/ViT-CIFAR, pull 11; lucidrains/vit-pytorch, issue 65
head_scale: wrong, E2-01
score_variance: right
multi_head_attention: wrong, E2-01
"""

import numpy as np


def head_scale(d_k, num_heads):
    return d_k**-0.5


def score_variance(d_k, num_heads):
    return d_k // num_heads


def multi_head_attention(Q, K, V, num_heads):
    outputs = []
    scale = head_scale(Q.shape[1], num_heads)
    for q, k, v in zip(*(np.split(a, num_heads, axis=1) for a in (Q, K, V))):
        wei = q @ k.T * scale
        wei = np.exp(wei - wei.max(axis=1, keepdims=True))
        wei = wei / wei.sum(axis=1, keepdims=True)
        outputs.append(wei @ v)
    return np.concatenate(outputs, axis=1)
