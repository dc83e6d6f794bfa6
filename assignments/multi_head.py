"""Exercise 2: several heads (30 points).

Split the features of Q, K and V into `num_heads` chunks of equal width, attend on each chunk by itself, put the
results side by side again, and explain what happens to the scale.

- `head_scale` (5 points) and `score_variance` (4 points) are the numbers behind the explanation.
- `split_heads` (6 points) and `multi_head_attention` (10 points) refuse, with `ValueError`, a number of heads that
  does not divide the features.
- `EXPLANATION` (5 points) is read by a person.

Replace each `raise NotImplementedError` and each empty constant. `python multi_head.py` runs the checks at the
end of this file, `grade .` gives the marks. Arguments are passed by position; functions of your own are welcome.
"""

import math

import numpy as np

from third_key import attention


def head_scale(d_k: int, num_heads: int) -> float:
    """Factor by which each head multiplies its raw dot products, so that their variance becomes 1.

    Parameters
    ----------
    d_k : int
        Features of an undivided query, a multiple of `num_heads`.
    num_heads : int
        At least 1.

    Returns
    -------
    float
    """
    raise NotImplementedError


def score_variance(d_k: int, num_heads: int) -> float:
    """Variance of one head's raw dot product, before any scaling.

    Parameters
    ----------
    d_k : int
        Features of an undivided query, a multiple of `num_heads`. All features of queries and keys are independent
        and have mean 0 and variance 1.
    num_heads : int
        At least 1.

    Returns
    -------
    float
    """
    raise NotImplementedError


def split_heads(X: np.ndarray, num_heads: int) -> np.ndarray:
    """Cut the features into chunks that lie side by side, one chunk for each head.

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
    """Attend on each chunk of the features by itself and put the heads' outputs side by side.

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
        Where `num_heads` does not divide `d_k` and `d_v`.
    """
    raise NotImplementedError


# In your own words, a few sentences: what goes wrong if each head keeps the scale of the undivided d_k? Marked by a
# person: how many products one head's score adds up (2 points), what follows for the variance of that score and its
# root (2 points), what the old scale then does to the weights (1 point).
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
