"""Where a ladder has to look: the regions of a function's arguments, as data. No right answer.

A submission can be right but for some region: more queries than keys, two keys alike, a column of integers. So each
exercise states its regions beside its ladder, and `grade selfcheck` spoils the reference wherever one holds: points
must be lost. What the handout does not promise is stated as well, with the reason, and no judged call may lie there.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from grader.exercises.probe import Array

Arguments = SimpleNamespace
"""The arguments of one call by the names of their parameters, and the lengths of axes by the symbols of these."""

Test = Callable[[Arguments], Any]
"""Says whether a call lies in a region; the answer may be a truth value of NumPy's."""


class Region(NamedTuple):
    """A part of what a function may be called with, and what tells whether a call lies in it.

    Calls that must be refused count only where `refused` says so: there the promised exception is what is spoiled.
    """

    name: str
    functions: tuple[str, ...]
    holds: Test
    refused: bool = False


class NotAsked(NamedTuple):
    """What the handout does not promise, and why."""

    name: str
    functions: tuple[str, ...]
    holds: Test
    reason: str


class Regions(NamedTuple):
    """The regions of an exercise.

    `parameters` says for each function how its arguments are called: "Q n d_k" is an array Q with axes n and d_k, a
    name alone is a number or an array of any shape. A function that takes nothing has no regions, and is left out.
    """

    parameters: Mapping[str, tuple[str, ...]]
    asked: tuple[Region, ...]
    not_asked: tuple[NotAsked, ...]

    def read(self, function: str, args: Sequence[Any]) -> Arguments:
        """Return a call's arguments by name. A parameter that is not passed is None."""
        found: dict[str, Any] = {}
        for k, parameter in enumerate(self.parameters[function]):
            name, *axes = parameter.split()
            found[name] = args[k] if k < len(args) else None
            if axes:
                found |= dict(zip(axes, np.shape(args[k]), strict=True))
        return Arguments(**found)


_COUNTS: Mapping[str, Callable[[int], Any]] = {
    "= 1": lambda x: x == 1,
    "= 2": lambda x: x == 2,
    "odd, > 1": lambda x: x > 1 and x % 2 == 1,
    "even": lambda x: x % 2 == 0,
    # Code that works in blocks fails behind the first one, or in the last, shorter one.
    "> 16": lambda x: x > 16,
    "> 64": lambda x: x > 64,
    "> 64, no multiple of 64": lambda x: x > 64 and x % 64,
    "> 512": lambda x: x > 512,
}
_WIDTHS: Mapping[str, Callable[[int], Any]] = {
    "= 1": lambda x: x == 1,
    "odd, > 1": lambda x: x > 1 and x % 2 == 1,
    "even": lambda x: x % 2 == 0,
    ">= 16": lambda x: x >= 16,
    ">= 64": lambda x: x >= 64,
}
_VALUES: Mapping[str, Callable[[Array], Any]] = {
    "a zero among others": lambda x: np.any(x == 0) and np.any(x),
    "of one sign": lambda x: x.size > 1 and np.all(x != 0) and np.ptp(np.sign(x)) == 0,
    # The ladders take numbers near 1e-6 and near 1e6.
    "as small as 1e-6": lambda x: 0 < np.max(np.abs(x)) < 1e-5,
    "as large as 1e6": lambda x: np.max(np.abs(x)) > 1e5,
}
_SIGNS: Mapping[str, Callable[[Array], Any]] = {
    "nothing but zeros": lambda x: not np.any(x),
    "positive only": lambda x: x.size > 1 and np.all(x > 0),
    "negative only": lambda x: x.size > 1 and np.all(x < 0),
}
_ROWS: Mapping[str, Callable[[Array], Any]] = {
    "a row of zeros among others": lambda x: np.any(x) and not np.all(np.any(x, axis=-1)),
    "two rows alike": lambda x: 1 < len(np.unique(x, axis=0)) < len(x),
    "all rows alike": lambda x: len(np.unique(x, axis=0)) == 1 < len(x) and np.any(x),
}
_KINDS: Mapping[str, Callable[[Array], Any]] = {
    "integers": lambda x: x.dtype.kind == "i",
    "not contiguous": lambda x: not (x.flags.c_contiguous or x.flags.f_contiguous),
    "read-only": lambda x: not x.flags.writeable,
    "single precision": lambda x: x.dtype == np.float32,
}


def named(functions: tuple[str, ...], tests: Mapping[str, Test], *, refused: bool = False) -> tuple[Region, ...]:
    """Return the regions of these functions, each by its name."""
    return tuple(Region(name, functions, test, refused) for name, test in tests.items())


def _each(
    functions: tuple[str, ...], names: Sequence[str], tests: Mapping[str, Callable[[Any], Any]], but: Sequence[str]
) -> tuple[Region, ...]:
    def about(name: str, test: Callable[[Any], Any]) -> Test:
        return lambda a: test(getattr(a, name))

    return named(
        functions,
        {f"{name} {words}": about(name, tests[words]) for name in names for words in tests if words not in but},
    )


def counts(functions: tuple[str, ...], *names: str, but: Sequence[str] = ()) -> tuple[Region, ...]:
    """Return the regions of numbers of rows."""
    return _each(functions, names, _COUNTS, but)


def widths(functions: tuple[str, ...], *names: str) -> tuple[Region, ...]:
    """Return the regions of numbers of columns."""
    return _each(functions, names, _WIDTHS, ())


def values(functions: tuple[str, ...], *names: str, but: Sequence[str] = ()) -> tuple[Region, ...]:
    """Return the regions of the numbers in an array."""
    return _each(functions, names, _VALUES, but)


def signs(functions: tuple[str, ...], *names: str) -> tuple[Region, ...]:
    """Return the regions of the signs in an array, for a function that does more than add and multiply."""
    return _each(functions, names, _SIGNS, ())


def kinds(functions: tuple[str, ...], *names: str, but: Sequence[str] = ()) -> tuple[Region, ...]:
    """Return the regions of how an array comes: its type of number and its place in memory."""
    return _each(functions, names, _KINDS, but)


def rows(functions: tuple[str, ...], *names: str, but: Sequence[str] = ()) -> tuple[Region, ...]:
    """Return the regions of the rows of an array with two axes."""
    return _each(functions, names, _ROWS, but)


def crossed(functions: tuple[str, ...]) -> tuple[Region, ...]:
    """Return the regions of n against m, each with those of d_v against d_k: the one must not hide the other."""
    orders: dict[str, Callable[[int, int], bool]] = {"<": operator.lt, "=": operator.eq, ">": operator.gt}

    def both(one: str, other: str) -> Test:
        return lambda a: orders[one](a.n, a.m) and orders[other](a.d_v, a.d_k)

    return named(functions, {f"n {one} m, d_v {other} d_k": both(one, other) for one in orders for other in orders})


def lead(scores: Array) -> Array:
    """Return how far the largest number of each row is ahead of the second; there are two numbers or more."""
    ordered = np.sort(scores, axis=-1)
    ahead: Array = ordered[..., -1] - ordered[..., -2]
    return ahead


def tied(scores: Array) -> Any:
    """Whether in some row two numbers, and not all, are the largest."""
    return np.any((lead(scores) == 0) & (np.ptp(scores, axis=-1) > 0))


def anywhere(functions: tuple[str, ...], *arrays: str) -> tuple[NotAsked, ...]:
    """Return what no array of these functions holds."""

    def some(a: Arguments, test: Callable[[Array], Any]) -> bool:
        return any(test(np.asarray(getattr(a, name))) for name in arrays if hasattr(a, name))

    return (
        NotAsked(
            "NaN or infinity",
            functions,
            lambda a: some(a, lambda x: not np.all(np.isfinite(x))),
            "The handout speaks of large numbers, not of masks: what a fully masked row gives is a convention.",
        ),
        NotAsked(
            "an axis of length zero",
            functions,
            lambda a: some(a, lambda x: x.size == 0),
            "The handout gives a meaning to no average over no key; references differ in what they raise.",
        ),
        NotAsked(
            "numbers other than float64, float32 and int64",
            functions,
            lambda a: some(a, lambda x: x.dtype not in (np.float64, np.float32, np.int64)),
            "Half precision, truth values and complex numbers are not spoken of; the handout names these three.",
        ),
        NotAsked(
            "lists in place of arrays",
            functions,
            lambda a: any(isinstance(getattr(a, name, None), list) for name in arrays),
            "Every table of the handout speaks of arrays.",
        ),
    )
