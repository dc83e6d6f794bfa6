"""Recognise mistakes that contain a number of the student's choice: how many digits to keep, at which bound to clip."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from grader.exercises.probe import Array
from grader.judging.dossier import Recogniser, Seen
from grader.judging.likeness import CLOSE, Likeness, are_alike, find_decimals
from grader.key.answer_key import Answer

Clip = Callable[[Array], Array]

_BOUNDS = (5, 8, 10, 15, 20, 25, 30, 40, 50, 60, 64, 75, 80, 88, 100, 150, 200, 250, 300, 400, 500, 600, 700, 709, 710)
"""The bounds that people write: round numbers, and those where exp overflows in single and in double precision."""


def is_rounded(seen: Sequence[Seen]) -> bool:
    """Whether the numbers are the right ones, all rounded to the same few decimals, and not right as they are."""
    if _all_alike([(one.items, one.right) for one in seen], Likeness()):
        return False
    numbers = [item.ravel() for one in seen for item in one.items]
    found = find_decimals([[np.concatenate([np.empty(0), *numbers])]])
    return bool(found) and _all_alike([(one.items, one.right) for one in seen], Likeness(0.0, found))


def recognise_clipping(compute: Callable[[Sequence[Any], Clip], tuple[Array, ...]]) -> Recogniser:
    """Return a recogniser of scores that were clipped at some bound, on one side or on both.

    `compute` gives the right answer, except that the scores pass through the function that clips them.
    """

    def knows(seen: Sequence[Seen]) -> bool:
        answered = [one for one in seen if one.right]
        close = Likeness(CLOSE)
        wrong = [one for one in answered if not _all_alike([(one.items, one.right)], close)]
        # Where no score is beyond any bound, what is wrong is so for another reason; where none is wrong, a bound that
        # is far out would explain that.
        if not wrong or any(_reach(compute, one) <= _BOUNDS[0] for one in wrong):
            return False
        return any(
            # Most bounds are refused by the first call, which is why all of them can be tried.
            all(_all_alike([(one.items, compute(one.args, _clip(low, high)))], close) for one in (*wrong, *answered))
            for bound in _BOUNDS
            for low, high in ((-bound, bound), (None, bound), (-bound, None))
        )

    return knows


def _reach(compute: Callable[[Sequence[Any], Clip], tuple[Array, ...]], one: Seen) -> float:
    """Return how large the scores of a call are."""
    largest: list[float] = []

    def look(scores: Array) -> Array:
        largest.append(float(np.max(np.abs(scores), initial=0.0)))
        return scores

    compute(one.args, look)
    return max(largest, default=0.0)


def _clip(low: float | None, high: float | None) -> Clip:
    return lambda scores: np.clip(scores, low, high)


def _all_alike(pairs: Sequence[tuple[tuple[Array, ...], tuple[Array, ...]]], likeness: Likeness) -> bool:
    return bool(pairs) and all(are_alike(Answer(one), Answer(other), (), likeness) for one, other in pairs)
