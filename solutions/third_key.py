"""Exercise 1: a third key (30 points).

Write attention for one query or many, then repeat the worked example of the handout with a third key that is
identical to the query and carries the value (1, 1).

- `softmax` (6 points) and `attention` (12 points) are used by the other two exercises as well.
- `add_key` (4 points) returns new arrays; the old ones stay as they were.
- `third_key` (4 points) takes nothing and works on the example's arrays below.
- `dominant_key` (4 points) answers "which key wins" for any weights, not only for those of the example.
"""

import numpy as np

from attention import attention, softmax

__all__ = ["PAGE_K", "PAGE_Q", "PAGE_V", "add_key", "attention", "dominant_key", "softmax", "third_key"]

# The worked example: one query, two keys, two values.
PAGE_Q = np.array([[1.0, 0.0, 1.0, 0.0]])
PAGE_K = np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]])
PAGE_V = np.array([[1.0, 0.0], [0.0, 1.0]])


def add_key(K: np.ndarray, V: np.ndarray, key: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Append one key and its value, after the last ones; the four inputs stay as they were.

    Parameters
    ----------
    K : ndarray of shape (m, d_k)
        Keys.
    V : ndarray of shape (m, d_v)
        Values.
    key : ndarray of shape (d_k,)
        The key to add.
    value : ndarray of shape (d_v,)
        Its value.

    Returns
    -------
    K : ndarray of shape (m + 1, d_k)
    V : ndarray of shape (m + 1, d_v)
    """
    return np.vstack([K, key]), np.vstack([V, value])


def third_key() -> tuple[np.ndarray, np.ndarray]:
    """Attend in the worked example after adding a third key equal to the query, with value (1, 1).

    Returns
    -------
    output : ndarray of shape (1, 2)
    weights : ndarray of shape (1, 3)
    """
    K, V = add_key(PAGE_K, PAGE_V, PAGE_Q[0], np.array([1.0, 1.0]))
    return attention(PAGE_Q, K, V)


def dominant_key(weights: np.ndarray) -> np.ndarray:
    """Find the key that dominates for each query: the one with the largest weight.

    Parameters
    ----------
    weights : ndarray of shape (n, m)
        Each row sums to 1; no two keys share the largest weight of a row.

    Returns
    -------
    ndarray of int, shape (n,)
        Positions counted from 0.
    """
    winners: np.ndarray = np.argmax(weights, axis=-1)
    return winners


if __name__ == "__main__":
    shares = softmax(np.array([[1.0, 2.0, 3.0], [1e4, -1e4, 0.0]]))
    assert np.allclose(shares.sum(axis=-1), 1.0), f"the rows of softmax sum to {shares.sum(axis=-1)}, expected 1"
    answer, _ = attention(PAGE_Q, PAGE_K, PAGE_V)
    assert np.allclose(answer, [[0.5, 0.5]]), f"the worked example gives {answer}, expected (0.5, 0.5)"
    more_keys, more_values = add_key(PAGE_K, PAGE_V, PAGE_Q[0], np.array([1.0, 1.0]))
    shapes = more_keys.shape, more_values.shape, PAGE_K.shape
    assert shapes == ((3, 4), (3, 2), (2, 4)), f"new K, new V and old K have shapes {shapes}"
    print("third_key: these checks hold; output and weights with the third key:", *third_key())
