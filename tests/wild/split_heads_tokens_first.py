"""Reshaped and left at that: tokens first, heads second.

source: A1ex-Chen/DL_project_log, GenderBias-VL/lvlm_inference/LAMM/src/ChEF/models/otter/xformers_model/clip__shape.py
split_heads: wrong, E2-05
"""


def split_heads(X, num_heads):
    seq_len, width = X.shape
    return X.reshape(seq_len, num_heads, width // num_heads)
