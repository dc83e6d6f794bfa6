"""Exercise 4: Distant keys count less (11 points).

Take from each score what the distance between its query and its key costs.

- `key_distance` (4 points) counts the positions between the two.
- `biased_scores` (7 points) takes the slope away once for each position; the scores stay as they were.
"""

import numpy as np


def key_distance(n: int, m: int) -> np.ndarray:
    """Return how many positions each key stands away from each query.

    Parameters
    ----------
    n : int
        Queries, at positions 0 to n - 1.
    m : int
        Keys, at positions 0 to m - 1.

    Returns
    -------
    ndarray of int, shape (n, m)
    """
    return np.asarray(np.abs(np.arange(n)[:, None] - np.arange(m)[None, :]))


def biased_scores(scores: np.ndarray, slope: float) -> np.ndarray:
    """Return the scores without what their distance costs.

    Parameters
    ----------
    scores : ndarray of shape (n, m)
        One row for each query.
    slope : float
        What a position costs.

    Returns
    -------
    ndarray of shape (n, m)

    Notes
    -----
    Press, Smith and Lewis 2022, section 3, here for keys on both sides of the query.
    """
    return scores - slope * key_distance(*scores.shape)


if __name__ == "__main__":
    assert key_distance(2, 3).shape == (2, 3), f"two queries and three keys give {key_distance(2, 3).shape}"
    biased = biased_scores(np.zeros((2, 2)), 0.5)
    assert biased[0, 0] == 0.0, f"a key at the place of its query loses {-biased[0, 0]}, expected 0"
    print("position_bias: these checks hold; two equal scores each:", biased, sep="\n")
