"""The regions of exercise 1: what softmax, attention, the added key and the winner have to be right for."""

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

_SOFTMAX, _ATTENTION, _ADD_KEY, _DOMINANT = ("softmax",), ("attention",), ("add_key",), ("dominant_key",)


def _lines(a: Arguments) -> Array:
    """Return the scores as rows, each of which becomes weights that sum to one."""
    axis = -1 if a.axis is None else a.axis
    lines: Array = np.moveaxis(a.x, axis, -1).reshape(-1, a.x.shape[axis])
    return lines


def _raw(a: Arguments) -> Array:
    raw: Array = a.Q.astype(float) @ a.K.T
    return raw


def _axis(ndim: int, given: int | None) -> Test:
    return lambda a: a.x.ndim == ndim and a.axis == given


_AXES = {f"{ndim} axes, no axis given": _axis(ndim, None) for ndim in (1, 2, 3)} | {
    f"{ndim} axes, axis={given}": _axis(ndim, given) for ndim in (1, 2, 3) for given in range(-ndim, ndim)
}

_SCORES: dict[str, Test] = {
    "four axes": lambda a: a.x.ndim == 4,
    "one score to a sum": lambda a: _lines(a).shape[1] == 1,
    "two scores to a sum": lambda a: _lines(a).shape[1] == 2,
    "an odd number of scores, > 1": lambda a: _lines(a).shape[1] % 2 and _lines(a).shape[1] > 1,
    "an even number of scores": lambda a: _lines(a).shape[1] % 2 == 0,
    "more than 16 scores to a sum": lambda a: _lines(a).shape[1] > 16,
    "more than 64 scores to a sum, no multiple of 64": lambda a: _lines(a).shape[1] > 64 and _lines(a).shape[1] % 64,
    "more than 512 scores to a sum": lambda a: _lines(a).shape[1] > 512,
    "more than 16 sums": lambda a: len(_lines(a)) > 16,
    "more than 64 sums": lambda a: len(_lines(a)) > 64,
    "more than 512 sums": lambda a: len(_lines(a)) > 512,
    "the largest score twice": lambda a: _lines(a).shape[1] > 1 and tied(_lines(a)),
    "equal scores": lambda a: _lines(a).shape[1] > 1 and np.any(np.ptp(_lines(a), axis=1) == 0),
    "one score ahead by 40": lambda a: _lines(a).shape[1] > 1 and np.any(lead(_lines(a)) > 40),
    "one score ahead by 800": lambda a: _lines(a).shape[1] > 1 and np.any(lead(_lines(a)) > 800),
    "a line of zeros among others": lambda a: np.any(a.x) and not np.all(np.any(_lines(a), axis=1)),
    "two lines alike": lambda a: 1 < len(np.unique(_lines(a), axis=0)) < len(_lines(a)),
    "all lines alike": lambda a: len(np.unique(_lines(a), axis=0)) == 1 < len(_lines(a)),
}

_WEIGHED: dict[str, Test] = {
    "n > m > 1": lambda a: a.n > a.m > 1,
    "Q is K": lambda a: a.n > 1 and np.array_equal(a.Q, a.K),
    "Q, K and V are one": lambda a: a.n > 1 and np.array_equal(a.Q, a.K) and np.array_equal(a.K, a.V),
    "the best key twice": lambda a: a.m > 1 and tied(_raw(a)),
    "uniform weights": lambda a: a.m > 1 and np.any(np.ptp(_raw(a), axis=1) == 0),
    # No root of d_k is larger than d_k.
    "a weight above 0.9": lambda a: a.m > 1 and np.any(lead(_raw(a)) > (2 + a.m) * a.d_k),
    "weights of exactly 0 and 1": lambda a: a.m > 1 and np.any(lead(_raw(a)) > 800 * a.d_k),
    "raw scores beyond 1e4": lambda a: np.any(_raw(a) > 1e4) and np.any(_raw(a) < -1e4),
}

_ADDED: dict[str, Test] = {
    "d_v < d_k": lambda a: a.d_v < a.d_k,
    "d_v = d_k": lambda a: a.d_v == a.d_k,
    "d_v > d_k": lambda a: a.d_v > a.d_k,
    "m = d_k": lambda a: a.m == a.d_k,
    "the key is one of K": lambda a: np.any(np.all(a.key == a.K, axis=1)),
    "the value is one of V": lambda a: np.any(np.all(a.value == a.V, axis=1)),
    "whole K and V, fractions added": lambda a: a.K.dtype.kind == "i" and a.key.dtype.kind == "f",
}

_WINNERS: dict[str, Test] = {
    "the first key wins": lambda a: a.m > 1 and np.any(a.weights.argmax(1) == 0),
    "the last key wins": lambda a: a.m > 1 and np.any(a.weights.argmax(1) == a.m - 1),
    "a key between the others wins": lambda a: np.any((a.weights.argmax(1) > 0) & (a.weights.argmax(1) < a.m - 1)),
    "all queries have one winner": lambda a: a.n > 1 and len(np.unique(a.weights.argmax(1))) == 1,
    "no weight above a half": lambda a: np.all(a.weights < 0.5),
    "a weight above 0.9": lambda a: a.m > 1 and np.any(a.weights > 0.9),
    "weights of exactly 0 and 1": lambda a: a.m > 1 and np.any(a.weights == 1),
    "nearly uniform weights": lambda a: a.m > 1 and np.any(a.weights.max(1) < 1.1 / a.m),
    "n < m": lambda a: a.n < a.m,
    "n = m": lambda a: a.n == a.m > 1,
    "n > m": lambda a: a.n > a.m > 1,
}


REGIONS = Regions(
    parameters={
        "softmax": ("x", "axis"),
        "attention": ("Q n d_k", "K m d_k", "V m d_v"),
        "add_key": ("K m d_k", "V m d_v", "key d_k", "value d_v"),
        "dominant_key": ("weights n m",),
    },
    asked=(
        *named(_SOFTMAX, _AXES | _SCORES),
        *values(_SOFTMAX, "x"),
        *signs(_SOFTMAX, "x"),
        *kinds(_SOFTMAX, "x"),
        *counts(_ATTENTION, "n", "m"),
        *widths(_ATTENTION, "d_k", "d_v"),
        *crossed(_ATTENTION),
        *named(_ATTENTION, _WEIGHED),
        *values(_ATTENTION, "Q", "K", "V"),
        *signs(_ATTENTION, "Q", "K", "V"),
        *rows(_ATTENTION, "Q", "K", "V"),
        *kinds(_ATTENTION, "Q", "K", "V"),
        *counts(_ADD_KEY, "m", but=("> 512",)),
        *widths(_ADD_KEY, "d_k", "d_v"),
        *named(_ADD_KEY, _ADDED),
        *values(_ADD_KEY, "K", "V", "key", "value"),
        *rows(_ADD_KEY, "K", "V"),
        *kinds(_ADD_KEY, "K", "V", "key", "value"),
        *counts(_DOMINANT, "n", "m", but=("> 512",)),
        *named(_DOMINANT, _WINNERS),
        *rows(_DOMINANT, "weights", but=("a row of zeros among others",)),
        *kinds(_DOMINANT, "weights", but=("integers",)),
    ),
    not_asked=(
        *anywhere((*_SOFTMAX, *_ATTENTION, *_ADD_KEY, *_DOMINANT), "x", "Q", "K", "V", "key", "value", "weights"),
        NotAsked(
            "a single number, or several axes at once",
            _SOFTMAX,
            lambda a: a.x.ndim == 0 or isinstance(a.axis, tuple),
            "The handout's softmax makes weights along one axis.",
        ),
        NotAsked(
            "an axis that x does not have",
            _SOFTMAX,
            lambda a: a.axis is not None and not -a.x.ndim <= a.axis < a.x.ndim,
            "No exception is promised for it.",
        ),
        NotAsked(
            "arrays with more or fewer than two axes",
            _ATTENTION,
            lambda a: {a.Q.ndim, a.K.ndim, a.V.ndim} != {2},
            "Q, K and V have the two axes of the handout's table; batches are no part of the exercise.",
        ),
        NotAsked(
            "two keys that share the largest weight",
            _DOMINANT,
            lambda a: a.m > 1 and np.any(lead(a.weights) == 0),
            "The handout calls a key dominant where its weight is strictly the largest.",
        ),
        NotAsked(
            "whole numbers as weights",
            _DOMINANT,
            lambda a: a.weights.dtype.kind != "f",
            "Weights are what softmax returns, which are fractions.",
        ),
    ),
)
