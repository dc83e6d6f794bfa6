"""Scaled dot-product attention, written the direct way: the whole score matrix exists at once.

Symbols: `n` queries, `m` keys, `d_k` features of a query or key, `d_v` features of a value.

References
----------
Vaswani et al. 2017, "Attention Is All You Need", section 3.2.1, equation (1).
"""

import math

import numpy as np


def as_float(x: np.ndarray) -> np.ndarray:
    """Return an array in a type in which sums of products are safe; the input stays unchanged.

    Parameters
    ----------
    x : array_like
        Any shape. Integers and booleans become float64, float16 becomes float32, every other type stays.

    Returns
    -------
    ndarray
        Same shape, possibly the same memory.
    """
    x = np.asarray(x)
    if x.dtype == np.float16:  # 30 * 40 * 64 is already beyond the largest half
        return x.astype(np.float32)
    return x if np.issubdtype(x.dtype, np.inexact) else x.astype(np.float64)


def softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    """Return the softmax of scores: weights that are never negative and sum to 1 along one axis.

    Parameters
    ----------
    x : ndarray of any shape
        Scores of any size; 1e4 and -1e4 are ordinary inputs here. Leave the array unchanged.
    axis : int
        The axis along which the weights sum to 1.

    Returns
    -------
    ndarray
        Same shape as `x`.

    Notes
    -----
    Subtracting the maximum changes nothing in exact arithmetic and keeps the largest exponent at 0
    (Blanchard, Higham and Higham 2021, "Accurately computing the log-sum-exp and softmax functions").
    """
    x = as_float(x)
    exponentials = np.exp(x - np.max(x, axis=axis, keepdims=True))
    weights: np.ndarray = exponentials / np.sum(exponentials, axis=axis, keepdims=True)
    return weights


def attention(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the weighted average of the values for each query, and the weights.

    Parameters
    ----------
    Q : ndarray of shape (n, d_k)
        Queries.
    K : ndarray of shape (m, d_k)
        Keys; `m` may differ from `n`.
    V : ndarray of shape (m, d_v)
        Values; `d_v` may differ from `d_k`.

    Returns
    -------
    output : ndarray of shape (n, d_v)
    weights : ndarray of shape (n, m)
        Each row sums to 1.

    Notes
    -----
    `softmax(Q K^T / sqrt(d_k)) V`: Vaswani et al. 2017, equation (1). The root is a Python float, so float32
    input stays float32.
    """
    Q, K, V = as_float(Q), as_float(K), as_float(V)
    scores = Q @ K.T / math.sqrt(Q.shape[-1])
    weights = softmax(scores)
    return weights @ V, weights
