"""How alike two answers to one call are: to the last digits, closely, or as far as rounded numbers go.

A known mistake keeps its name through whatever leaves a right answer right: a tiny number in a denominator, a root or
a whole computation in single precision, numbers rounded before they are handed back. Each level lets go of more digits,
so a mistake is named by it only where the mistake lies far beyond them.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from grader.exercises.probe import Array
from grader.key.answer_key import Answer

EXACT = 1e-10  # two float64 ways to compute one formula differ by at most 5e-13 of the scale
CLOSE = 1e-5  # what single precision, or 1e-7 in a denominator, moves a number by
_VISIBLE = 10.0  # times what a level lets go of
_TINY = float(np.finfo(np.float64).tiny)
_DECIMALS = range(2, 6)  # six are within what is close
_ON_GRID = 1e-4  # of a unit: a number that is rounded misses it by less
_FEWEST = 4  # numbers that are not whole: one in 5,000 doubles lies that near to two decimals


class Likeness(NamedTuple):
    """What may differ: a share of the scale, half a unit of the last decimal, zeros where 0 / 0 is NaN.

    `decimals` are those of each returned thing, None where it is not rounded; empty where none is.
    """

    precision: float = EXACT
    decimals: tuple[int | None, ...] = ()
    forgiving: bool = False

    def blur(self) -> "Likeness":
        """Return the likeness that hides even a visible difference; where every digit counts, none is hidden."""
        if self.precision <= EXACT:
            return self
        return self._replace(precision=_VISIBLE * self.precision)

    def slack(self, place: int, *, visible: bool = False) -> float:
        """Return by how much a number of this returned thing may differ, beside its share of the scale."""
        decimals = self.decimals[place % len(self.decimals)] if self.decimals else None
        return 0.0 if decimals is None else (1.0 if visible else 0.5 + _ON_GRID) * 10.0**-decimals


def are_alike(one: Answer, other: Answer, scales: Sequence[float], likeness: Likeness) -> bool:
    """Whether the answer `one` is the known answer `other`: exception, shapes, places of NaN and infinity, numbers."""
    return _compare(one, other, scales, likeness, visible=False)


def is_visible(one: Answer, other: Answer, scales: Sequence[float], likeness: Likeness) -> bool:
    """Whether a known answer is another one than `other` by more than this likeness lets go of."""
    strict = likeness.blur()._replace(forgiving=False)
    return not _compare(one, other, scales, strict, visible=strict.precision > EXACT)


def glance_at(one: Answer, scales: Sequence[float], likeness: Likeness) -> Callable[[Answer], bool]:
    """Return a quick test that refuses most known answers unlike this one, by one number of each returned thing.

    Hundreds of mistakes are held against every wrong answer, and comparing whole arrays takes twenty times as long.
    """
    looks = []
    for place, (item, scale) in enumerate(zip(one.items, [*scales, *[0.0] * len(one.items)], strict=False)):
        largest = float(np.max(np.abs(item.astype(np.float64)), initial=0.0))
        if item.size and np.isfinite(largest):
            # Of two things that are alike, one is hardly larger than the other: hence twice what may differ.
            allowed = 2.0 * (likeness.precision * max(scale, largest, _TINY) + likeness.slack(place))
            looks.append((place, item.shape, item.size // 2, float(item.item(item.size // 2)), allowed))

    def may_be_alike(other: Answer) -> bool:
        if one.raises != other.raises or len(one.items) != len(other.items):
            return False
        for place, shape, middle, number, allowed in looks:
            item = other.items[place]
            if item.shape != shape or abs(item.item(middle) - number) > allowed:  # NaN passes
                return False
        return True

    return may_be_alike


def _compare(one: Answer, other: Answer, scales: Sequence[float], likeness: Likeness, *, visible: bool) -> bool:
    if (one.raises, one.changed, len(one.items)) != (other.raises, other.changed, len(other.items)):
        return False
    padded = [*scales, *[0.0] * len(one.items)]
    with np.errstate(all="ignore"):
        return all(
            _same_array(a, b, scale, likeness, likeness.slack(place, visible=visible))
            for place, (a, b, scale) in enumerate(zip(one.items, other.items, padded, strict=False))
        )


def _same_array(a: Array, b: Array, scale: float, likeness: Likeness, slack: float) -> bool:
    if a.shape != b.shape or "c" in (a.dtype.kind, b.dtype.kind):
        return False
    a, b = a.astype(np.float64, copy=False), b.astype(np.float64, copy=False)
    difference = float(np.abs(a - b).max(initial=0.0))
    if np.isfinite(difference):  # then every entry is finite: the common case, and cheap to find out
        return difference <= max(likeness.precision * max(scale, float(np.abs(b).max(initial=0.0)), _TINY), slack)
    if likeness.forgiving:
        a = np.where(np.isnan(b) & (a == 0), np.nan, a)
    finite = np.isfinite(b)
    alike = np.array_equal(np.isfinite(a), finite) and np.array_equal(a[~finite], b[~finite], equal_nan=True)
    if not alike or not finite.any():
        return alike
    size = max(scale, float(np.max(np.abs(b[finite]))), _TINY)
    return float(np.max(np.abs(a[finite] - b[finite]))) <= max(likeness.precision * size, slack)


def find_decimals(answers: Iterable[Sequence[Array]]) -> tuple[int | None, ...]:
    """Return to how many decimals each returned thing is rounded, the same in all answers; empty where none is."""
    by_place: list[list[Array]] = []
    for items in answers:
        by_place += [[] for _ in range(len(items) - len(by_place))]
        for place, item in enumerate(items):
            by_place[place].append(item)
    if sum(_count_fractions(item) for items in by_place for item in items) < _FEWEST:
        return ()
    found = tuple(_count_decimals(items) for items in by_place)
    return found if any(decimals is not None for decimals in found) else ()


def _count_fractions(item: Array) -> int:
    return int(np.count_nonzero(item != np.rint(item))) if item.dtype.kind == "f" else 0


def _count_decimals(items: Sequence[Array]) -> int | None:
    real = [item.ravel() for item in items if item.dtype.kind == "f"]
    if len(real) < len(items) or not real:
        return None
    eps = max(float(np.finfo(item.dtype).eps) for item in real)
    numbers = np.concatenate([item.astype(np.float64) for item in real])
    numbers = numbers[np.isfinite(numbers)]
    # A number of single precision misses the grid by what that rounds.
    miss = _ON_GRID + 4 * eps * np.abs(numbers)[:, None] * 10.0 ** np.array(_DECIMALS)
    scaled = numbers[:, None] * 10.0 ** np.array(_DECIMALS)
    on_grid = np.all(np.abs(scaled - np.rint(scaled)) <= np.minimum(miss, 0.1), axis=0)
    if not np.any(numbers != np.rint(numbers)) or not on_grid.any():
        return None
    return _DECIMALS[int(np.argmax(on_grid))]


def is_half_gone(items: Sequence[Array]) -> bool:
    """Whether something is not finite, or whole rows are zeros beside others that are not.

    That is the trace of dividing exponentials that are too large or too small for a double by one another.
    """
    for item in items:
        if item.dtype.kind != "f" or not item.size:
            continue
        if not np.all(np.isfinite(item)):
            return True
        rows = np.any(np.atleast_2d(item) != 0, axis=-1)
        if np.any(rows) and not np.all(rows):
            return True
    return False
