"""Annotated with tensors, and held against a library at the end that is not here.

source: rsnemmen/toy-transformer, README.md (NumPy against PyTorch); hossein1387/nn_from_scratch, nn_from_scratch/nn/transformer.py
attention: right
multi_head_attention: right
"""

import math
from typing import Union

import numpy as np
import torch
import torch.nn.functional as F

Array = Union[np.ndarray, torch.Tensor]


def attention(q: Array, k: Array, v: Array) -> tuple[Array, Array]:
    scale_factor = 1 / math.sqrt(q.shape[-1])
    scores = q @ k.T * scale_factor
    scores = np.exp(scores - scores.max(-1, keepdims=True))
    probs = scores / scores.sum(-1, keepdims=True)
    return probs @ v, probs


def multi_head_attention(q: Array, k: Array, v: Array, num_heads: int) -> Array:
    cut = [np.split(x, num_heads, axis=-1) for x in (q, k, v)]
    return np.concatenate([attention(*head)[0] for head in zip(*cut)], axis=-1)


Q, K, V = np.random.randn(3, 4, 8)
mine, _ = attention(Q, K, V)
theirs = F.scaled_dot_product_attention(torch.from_numpy(Q), torch.from_numpy(K), torch.from_numpy(V)).numpy()
assert np.allclose(mine, theirs), "NumPy and PyTorch differ"
