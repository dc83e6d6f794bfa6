"""Exercise 2: Multi-head attention (30 points).

Split the features of Q, K and V into `num_heads` chunks of equal width, compute attention on each chunk by itself, put
the outputs side by side, and explain what happens to the scale.

- `head_scale` (5 points) and `score_variance` (4 points) return the numbers behind the explanation.
- `split_heads` (6 points) and `multi_head_attention` (10 points) raise `ValueError` where `num_heads` does not divide
  the number of features.
- `EXPLANATION` (5 points) is a string, which a person reads.

Replace each `raise NotImplementedError` and each empty constant. `python multi_head.py` runs the checks at the
end of this file, and `grade .` marks your work. The grader passes arguments by position. You may add functions.
The theory, the worked example and the points are in `README.md`.
"""

import math

import numpy as np

from third_key import attention


def head_scale(d_k: int, num_heads: int) -> float:
    """Return the factor by which each head multiplies its raw scores, so that their variance becomes 1.

    Parameters
    ----------
    d_k : int
        The number of features of an undivided query, a multiple of `num_heads`. All features of queries and keys are
        independent and have mean 0 and variance 1.
    num_heads : int
        At least 1.

    Returns
    -------
    float
    """
    raise NotImplementedError


def score_variance(d_k: int, num_heads: int) -> float:
    """Return the variance of a raw score of one head, before any scaling.

    Parameters
    ----------
    d_k : int
        The number of features of an undivided query, a multiple of `num_heads`. All features of queries and keys are
        independent and have mean 0 and variance 1.
    num_heads : int
        At least 1.

    Returns
    -------
    float
    """
    raise NotImplementedError


def split_heads(X: np.ndarray, num_heads: int) -> np.ndarray:
    """Return the features of each row in chunks of neighbours, one chunk for each head.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The first head gets the first `d / num_heads` features of each row, the second head the next ones, and so on.
    num_heads : int
        At least 1.

    Returns
    -------
    ndarray of shape (num_heads, n, d / num_heads)

    Raises
    ------
    ValueError
        Where `num_heads` does not divide `d`.
    """
    raise NotImplementedError


def multi_head_attention(Q: np.ndarray, K: np.ndarray, V: np.ndarray, num_heads: int) -> np.ndarray:
    """Return the outputs of all heads side by side; each head computes attention on its own chunk of the features.

    Parameters
    ----------
    Q : ndarray of shape (n, d_k)
        Queries.
    K : ndarray of shape (m, d_k)
        Keys; `m` may differ from `n`.
    V : ndarray of shape (m, d_v)
        Values; `d_v` may differ from `d_k`.
    num_heads : int
        At least 1.

    Returns
    -------
    ndarray of shape (n, d_v)
        The first head's output stands in the first `d_v / num_heads` columns.

    Raises
    ------
    ValueError
        Where `num_heads` does not divide both `d_k` and `d_v`.
    """
    raise NotImplementedError


# In your own words, in a few sentences: what goes wrong if each head keeps the scale of the undivided d_k? A person
# marks how many products add up to the score of one head (2 points), what follows for the variance of that score and
# for its root (2 points), and what keeping the old scale then does to the weights (1 point).
EXPLANATION = ""


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    queries, keys, values = rng.standard_normal((3, 6)), rng.standard_normal((5, 6)), rng.standard_normal((5, 4))
    chunks = split_heads(queries, 2)
    assert chunks.shape == (2, 3, 3), f"two heads of a (3, 6) array have shape {chunks.shape}, expected (2, 3, 3)"
    assert np.array_equal(np.concatenate(list(chunks), axis=-1), queries), "the chunks side by side are not the input"
    single, whole = multi_head_attention(queries, keys, values, 1), attention(queries, keys, values)[0]
    assert np.allclose(single, whole), f"one head differs from attention by {np.abs(single - whole).max():.1e}"
    two = multi_head_attention(queries, keys, values, 2)
    assert two.shape == whole.shape, f"two heads return shape {two.shape}, expected {whole.shape}"
    print("multi_head: these checks hold; output of two heads:", two, sep="\n")
