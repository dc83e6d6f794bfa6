"""Exercise 1: A third key (30 points).

Write attention for any number of queries. Then repeat the worked example of the handout with a third key, which is
identical to the query and has the value (1, 1).

- You will need `softmax` (6 points) and `attention` (12 points) in the other exercises, too.
- `add_key` (4 points) returns new arrays and leaves the old ones unchanged.
- `third_key` (4 points) takes no arguments and works on the arrays of the example, which stand below.
- `dominant_key` (4 points) finds the key that dominates, for any weights and not only for those of the example.
"""

import numpy as np

from attention import attention, softmax

__all__ = ["EXAMPLE_K", "EXAMPLE_Q", "EXAMPLE_V", "add_key", "attention", "dominant_key", "softmax", "third_key"]

# The worked example: one query, two keys, two values.
EXAMPLE_Q = np.array([[1.0, 0.0, 1.0, 0.0]])
EXAMPLE_K = np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]])
EXAMPLE_V = np.array([[1.0, 0.0], [0.0, 1.0]])


def add_key(K: np.ndarray, V: np.ndarray, key: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return keys and values with one more row each, below the last one. Leave the four inputs unchanged.

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
    """Return what attention gives in the worked example with a third key: equal to the query, with the value (1, 1).

    Returns
    -------
    output : ndarray of shape (1, 2)
    weights : ndarray of shape (1, 3)
    """
    K, V = add_key(EXAMPLE_K, EXAMPLE_V, EXAMPLE_Q[0], np.array([1.0, 1.0]))
    return attention(EXAMPLE_Q, K, V)


def dominant_key(weights: np.ndarray) -> np.ndarray:
    """Return for each query the index of the key that dominates: the key with the largest weight.

    Parameters
    ----------
    weights : ndarray of shape (n, m)
        Each row sums to 1, and only one key has the largest weight of the row.

    Returns
    -------
    ndarray of int, shape (n,)
        Counted from 0.
    """
    winners: np.ndarray = np.argmax(weights, axis=-1)
    return winners


if __name__ == "__main__":
    shares = softmax(np.array([[1.0, 2.0, 3.0], [1e4, -1e4, 0.0]]))
    assert np.allclose(shares.sum(axis=-1), 1.0), f"the rows of softmax sum to {shares.sum(axis=-1)}, expected 1"
    answer, _ = attention(EXAMPLE_Q, EXAMPLE_K, EXAMPLE_V)
    assert np.allclose(answer, [[0.5, 0.5]]), f"the worked example gives {answer}, expected (0.5, 0.5)"
    more_keys, more_values = add_key(EXAMPLE_K, EXAMPLE_V, EXAMPLE_Q[0], np.array([1.0, 1.0]))
    shapes = more_keys.shape, more_values.shape, EXAMPLE_K.shape
    assert shapes == ((3, 4), (3, 2), (2, 4)), f"new K, new V and old K have shapes {shapes}"
    print("third_key: these checks hold; output and weights with the third key:", *third_key())
