"""Known mistakes of exercise 4, executable: what each would answer. Their titles and hints are in the grader."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def signed_distance(n: int, m: int) -> Array:
    return np.arange(n)[:, None] - np.arange(m)[None, :]


def gained(scores: Array, slope: float) -> Array:
    return scores + slope * np.abs(signed_distance(*scores.shape))


MISTAKES = {"key_distance": {"E4-01": signed_distance}, "biased_scores": {"E4-02": gained}}
