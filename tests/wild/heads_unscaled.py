"""The kernel's scale has a default of 1.0, and nobody passes another.

source: mlc-ai/mlc-llm, pull 3426 (the fallback path of op_ext.attention)
multi_head_attention: wrong, E2-02
"""

import numpy as np


def prefill(q, k, v, sm_scale=1.0):
    s = q @ k.T * sm_scale
    p = np.exp(s - s.max(axis=1, keepdims=True))
    return (p / p.sum(axis=1, keepdims=True)) @ v


def multi_head_attention(Q, K, V, num_heads):
    pieces = zip(*(np.split(a, num_heads, axis=1) for a in (Q, K, V)))
    return np.hstack([prefill(q, k, v) for q, k, v in pieces])
