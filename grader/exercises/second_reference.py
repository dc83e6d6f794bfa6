"""Attention outputs computed a second time, block by block, for the ladders that ask for attention."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from grader.calls import Call
from grader.exercises.probe import Array

AttentionInputs = Callable[[Call], Sequence[tuple[Array, Array, Array, int]]]
"""From a call to Q (n, d_k), K (m, d_k), V (m, d_v) and the number of heads, for each time that it is made."""


def attend_blockwise(inputs_of: AttentionInputs) -> Callable[[Call, Callable[..., Any]], list[tuple[Array, float]]]:
    """Return what computes a call's outputs (n, d_v) with `blockwise_attention(Q, K, V, block_size)`, and the bound.

    Both references round differently. A softmax weight moves by about the rounding of its score, so the bound is
    `max(1e-12, 4 eps max|score|) * max|V|`.
    """

    def compute(call: Call, blockwise: Callable[..., Any]) -> list[tuple[Array, float]]:
        return [_attend(*inputs, blockwise) for inputs in inputs_of(call)]

    return compute


def _attend(Q: Array, K: Array, V: Array, num_heads: int, blockwise: Callable[..., Any]) -> tuple[Array, float]:
    Q, K, V = (np.asarray(array, dtype=float) for array in (Q, K, V))
    m = K.shape[0]
    # A block size that does not divide m, wherever there is one: the last, shorter block is where such code fails.
    block_size = next((size for size in range(2, m) if m % size), 1)
    heads = list(zip(*(np.split(array, num_heads, axis=1) for array in (Q, K, V)), strict=True))
    output = np.concatenate([blockwise(q, k, v, block_size) for q, k, v in heads], axis=1)
    largest = max(float(np.max(np.abs(q @ k.T))) / np.sqrt(q.shape[1]) for q, k, _ in heads)
    eps = float(np.finfo(np.float64).eps)
    return output, max(1e-12, 4 * eps * largest) * float(np.max(np.abs(V)))
