"""The same attention, block by block: online softmax in one pass over the keys.

For each query three quantities run along the blocks of keys: `m_run`, the largest score so far; `l`, the sum of
`exp(score - m_run)` so far; `acc`, the sum of `exp(score - m_run) * value` so far, not yet divided by `l`. When a
block brings a larger maximum, `l` and `acc` are multiplied by `exp(old - new)`. No n x m matrix ever exists.

References
----------
Milakov and Gimelshein 2018, "Online normalizer calculation for softmax", algorithm 3.
Dao 2023, "FlashAttention-2", algorithm 1: `acc` is divided once, at the end.
"""

import math

import numpy as np

from attention import as_float

# How many queries are worked on at once. With 512 keys in a block their scores take 2 MiB in float64 and stay in the
# cache; with 64 queries at once the same work takes up to three times as long.
QUERY_ROWS = 512


def blockwise_attention(Q: np.ndarray, K: np.ndarray, V: np.ndarray, block_size: int) -> np.ndarray:
    """Return the attention output without ever holding the score matrix: memory grows with n, not with n times m.

    Parameters
    ----------
    Q : ndarray of shape (n, d_k)
        Queries.
    K : ndarray of shape (m, d_k)
        Keys.
    V : ndarray of shape (m, d_v)
        Values.
    block_size : int
        The number of keys in a block, at least 1. Where it does not divide `m`, the last block is shorter.

    Returns
    -------
    ndarray of shape (n, d_v)
        A query whose scores are all minus infinity gets zeros.

    Raises
    ------
    ValueError
        Where `block_size` is not a whole number of at least 1, or there are no keys.
    """
    if not hasattr(block_size, "__index__") or block_size < 1:  # a float has no __index__, NumPy's integers do
        message = f"block_size must be a whole number of at least 1, not {block_size!r}"
        raise ValueError(message)
    Q, K, V = as_float(Q), as_float(K), as_float(V)
    if len(K) == 0:
        message = "there are no keys to attend to"
        raise ValueError(message)
    output = np.zeros((len(Q), V.shape[-1]), dtype=np.result_type(Q, K, V))
    for start in range(0, len(Q), QUERY_ROWS):
        rows = slice(start, start + QUERY_ROWS)
        _attend(Q[rows] / math.sqrt(Q.shape[-1]), K, V, int(block_size), acc=output[rows])
    return output


def _attend(Q: np.ndarray, K: np.ndarray, V: np.ndarray, block_size: int, acc: np.ndarray) -> None:
    """Run the recurrence for some scaled queries; `acc` of shape (rows, d_v) starts at zero and ends as the output."""
    m_run = np.full((len(Q), 1), -np.inf, dtype=acc.dtype)
    l = np.zeros_like(m_run)
    for start in range(0, len(K), block_size):
        block = slice(start, start + block_size)
        P = Q @ K[block].T
        m_new = np.maximum(m_run, P.max(axis=-1, keepdims=True))
        # -inf - -inf would be NaN. The guard is for the exponent alone: stored, it would pass for a real maximum.
        shift = np.where(np.isneginf(m_new), 0, m_new)
        P -= shift
        np.exp(P, out=P)
        rescale = np.exp(m_run - shift)
        l *= rescale
        l += P.sum(axis=-1, keepdims=True)
        acc *= rescale
        acc += P @ V[block]
        m_run = m_new
    acc /= np.where(l == 0, 1, l)
