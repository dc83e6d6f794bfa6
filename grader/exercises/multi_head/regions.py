"""The regions of exercise 2: numbers of heads, their widths, and what they share out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from grader.exercises.region import (
    Arguments,
    NotAsked,
    Regions,
    Test,
    anywhere,
    counts,
    crossed,
    kinds,
    lead,
    named,
    rows,
    signs,
    tied,
    values,
    widths,
)

if TYPE_CHECKING:
    from grader.exercises.probe import Array

_NUMBERS, _SPLIT, _ATTENTION = ("head_scale", "score_variance"), ("split_heads",), ("multi_head_attention",)


def _heads(num_heads: int) -> Test:
    return lambda a: a.num_heads == num_heads


_HEADS = {f"num_heads = {h}": _heads(h) for h in range(1, 9)}

_OF_NUMBERS: dict[str, Test] = {
    "d_k > 512": lambda a: a.d_k > 512,
    "several heads of width 1": lambda a: a.d_k == a.num_heads > 1,
    "heads of odd width, > 1": lambda a: a.d_k > a.num_heads and a.d_k // a.num_heads % 2,
    "heads of even width": lambda a: a.d_k // a.num_heads % 2 == 0,
    "more heads than columns in each": lambda a: a.num_heads > a.d_k // a.num_heads > 1,
}

_OF_SPLIT: dict[str, Test] = {
    "several heads of width 1": lambda a: a.d == a.num_heads > 1,
    "heads of odd width, > 1": lambda a: a.d > a.num_heads and a.d // a.num_heads % 2,
    "heads of even width": lambda a: a.d // a.num_heads % 2 == 0,
    "more heads than columns in each": lambda a: a.num_heads > a.d // a.num_heads > 1,
    "as many heads as rows": lambda a: a.num_heads == a.n > 1,
    "more heads than rows": lambda a: a.num_heads > a.n > 1,
    "n < d": lambda a: a.n < a.d,
    "n = d": lambda a: a.n == a.d > 1,
    "n > d": lambda a: a.n > a.d > 1,
}

_REFUSED_BY_SPLIT: dict[str, Test] = {
    "fewer heads than columns": lambda a: a.num_heads < a.d,
    "more heads than columns": lambda a: a.num_heads > a.d,
    "heads that divide the number of rows": lambda a: a.n % a.num_heads == 0,
    "heads that divide the number of entries": lambda a: a.n * a.d % a.num_heads == 0 and a.n % a.num_heads,
}


def _one_head(a: Arguments) -> Array:
    """Return the raw scores of the first head."""
    width = a.d_k // a.num_heads
    raw: Array = a.Q[:, :width].astype(float) @ a.K[:, :width].T
    return raw


_OF_ATTENTION: dict[str, Test] = {
    "n > m > 1": lambda a: a.n > a.m > 1,
    "several heads, each with one column of K": lambda a: a.d_k == a.num_heads > 1,
    "several heads, each with one column of V": lambda a: a.d_v == a.num_heads > 1,
    "several heads with an odd number of columns of K, > 1": lambda a: (
        a.d_k > a.num_heads > 1 and a.d_k // a.num_heads % 2
    ),
    "several heads with an odd number of columns of V, > 1": lambda a: (
        a.d_v > a.num_heads > 1 and a.d_v // a.num_heads % 2
    ),
    "several heads with an even number of columns of K": lambda a: a.num_heads > 1 and a.d_k // a.num_heads % 2 == 0,
    "several heads with an even number of columns of V": lambda a: a.num_heads > 1 and a.d_v // a.num_heads % 2 == 0,
    "more heads than columns in each": lambda a: a.num_heads > a.d_k // a.num_heads > 1,
    "as many heads as queries": lambda a: a.num_heads == a.n > 1,
    "as many heads as keys": lambda a: a.num_heads == a.m > 1,
    "one head, n and m differ": lambda a: a.num_heads == 1 and a.n != a.m,
    "Q is K": lambda a: a.n > 1 and np.array_equal(a.Q, a.K),
    "Q, K and V are one": lambda a: a.n > 1 and np.array_equal(a.Q, a.K) and np.array_equal(a.K, a.V),
    "the best key of a head twice": lambda a: a.m > 1 and tied(_one_head(a)),
    "a head with uniform weights": lambda a: a.m > 1 and np.any(np.ptp(_one_head(a), axis=1) == 0),
    # No root of d_k is larger than d_k.
    "a head's weight above 0.9": lambda a: a.m > 1 and np.any(lead(_one_head(a)) > (2 + a.m) * a.d_k),
    "a head's weights of exactly 0 and 1": lambda a: a.m > 1 and np.any(lead(_one_head(a)) > 800 * a.d_k),
}

_REFUSED: dict[str, Test] = {
    "K cannot be shared, V can": lambda a: a.d_k % a.num_heads and not a.d_v % a.num_heads,
    "V cannot be shared, K can": lambda a: a.d_v % a.num_heads and not a.d_k % a.num_heads,
    "V cannot be shared, K can, with columns enough": lambda a: (
        a.d_v % a.num_heads and not a.d_k % a.num_heads and a.d_v > a.num_heads
    ),
}

REGIONS = Regions(
    parameters={
        "head_scale": ("d_k", "num_heads"),
        "score_variance": ("d_k", "num_heads"),
        "split_heads": ("X n d", "num_heads"),
        "multi_head_attention": ("Q n d_k", "K m d_k", "V m d_v", "num_heads"),
    },
    asked=(
        *named((*_NUMBERS, *_SPLIT, *_ATTENTION), _HEADS),
        *widths(_NUMBERS, "d_k"),
        *named(_NUMBERS, _OF_NUMBERS),
        *counts(_SPLIT, "n", but=("> 512",)),
        *widths(_SPLIT, "d"),
        *named(_SPLIT, _OF_SPLIT),
        *named(_SPLIT, _REFUSED_BY_SPLIT, refused=True),
        *values(_SPLIT, "X"),
        *rows(_SPLIT, "X"),
        *kinds(_SPLIT, "X"),
        *counts(_ATTENTION, "n", "m", but=("> 512",)),
        *widths(_ATTENTION, "d_k", "d_v"),
        *crossed(_ATTENTION),
        *named(_ATTENTION, _OF_ATTENTION),
        *named(_ATTENTION, _REFUSED, refused=True),
        *values(_ATTENTION, "Q", "K", "V"),
        *signs(_ATTENTION, "Q", "K", "V"),
        *rows(_ATTENTION, "Q", "K", "V"),
        *kinds(_ATTENTION, "Q", "K", "V"),
    ),
    not_asked=(
        *anywhere((*_SPLIT, *_ATTENTION), "X", "Q", "K", "V"),
        NotAsked(
            "no head, a negative number or a fraction of heads",
            (*_NUMBERS, *_SPLIT, *_ATTENTION),
            lambda a: not isinstance(a.num_heads, int) or a.num_heads < 1,
            "The handout counts heads; what is not a count of them is not spoken of.",
        ),
        NotAsked(
            "numbers of features that the heads cannot share",
            _NUMBERS,
            lambda a: a.d_k % a.num_heads,
            "The docstrings ask for a multiple; an exception is promised for arrays only.",
        ),
        NotAsked(
            "arrays with more or fewer than two axes",
            (*_SPLIT, *_ATTENTION),
            lambda a: any(x.ndim != 2 for x in vars(a).values() if isinstance(x, np.ndarray)),
            "Batches are no part of the exercise.",
        ),
    ),
)
