"""A returned value, read once: what it holds as plain arrays, and why it cannot be read as asked where it cannot.

Everything that judges, names or carries a result on uses this reading; nobody looks at the reply's value again, so two
rules cannot understand one answer in two ways. (Only what is shown to a reader is written from the value itself.)

A child may return 20,000 nested things or 48 MiB, and has hundreds of calls to do so. What nobody asked for is
therefore looked at in one pass, bounded in numbers and without an array made of it, before anything else happens to it.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from grader.calls import Opaque, Wrapped
from grader.exercises.exercise import Function
from grader.exercises.probe import Array

LARGEST = 1 << 20  # numbers in one returned value of lists and tuples; the largest right answer has a few thousand
_MOST_THINGS = 64  # arrays and numbers of a value with a fault; no known mistake returns more than a handful
_NESTED = frozenset({list, tuple})
_HOLDS_NUMBERS = frozenset({bool, int, float, np.ndarray}) | _NESTED  # a child sends no subclasses


class Received(NamedTuple):
    """One returned thing as a plain array. `array` is None where it holds no numbers; `form` says what is odd."""

    array: Array | None
    form: str = ""


class Reading(NamedTuple):
    """What one call returned.

    `items` are the things that the function returns, as far as they are there. `fault` says why they are not what was
    asked for. Then, and where a tuple came for one array, `numbers` are all arrays and numbers in the value, in order,
    as a known mistake's answer has them: it may have the same fault. Else they are None, as they are where something
    is not a number.
    """

    items: tuple[Received, ...] = ()
    fault: str = ""
    numbers: tuple[Array, ...] | None = None


def read_value(value: Any, function: Function, *, twice: bool = False) -> Reading:
    """Read a returned value as the function's items.

    `twice`: the value is the pair of results of a call made twice; the items of the second follow those of the first.
    """
    reading = _read_pair(value, function) if twice else _read_once(value, function)
    alone = len(function.returns) == 1 and not twice
    several = isinstance(value, tuple) if alone else bool(reading.fault)
    return reading._replace(numbers=_flatten(value)) if several else reading


def _read_pair(value: Any, function: Function) -> Reading:
    first, second = value if isinstance(value, tuple) and len(value) == 2 else (None, None)  # noqa: PLR2004 (a pair)
    one, other = _read_once(first, function), _read_once(second, function)
    if one.fault or other.fault:
        return Reading(fault=one.fault or other.fault)
    return Reading(one.items + other.items)


def _read_once(value: Any, function: Function) -> Reading:
    if len(function.returns) == 1:
        only = receive_array(value)
        return Reading((only,), fault=only.form if only.array is None else "")
    count = len(function.returns)
    wanted = " and ".join(item.name for item in function.returns)
    if not isinstance(value, tuple | list):
        return Reading(fault=f"{name_value(value)}, not the pair of {wanted}")
    items = tuple(receive_array(part) for part in value[:count])
    if len(value) != count:
        return Reading(items, fault=f"{name_value(value)}, not the pair of {wanted}")
    # For a call made twice, the sentence says which of the two results is odd.
    named = tuple(
        item._replace(form=f"{item.form} as {record.name}") if item.form else item
        for item, record in zip(items, function.returns, strict=True)
    )
    return Reading(named, fault=next((item.form for item in named if item.array is None), ""))


def receive_array(value: Any) -> Received:
    """Read one value as a plain array of real numbers."""
    match value:
        case np.ndarray() if value.dtype.kind in "biuf":
            return Received(value)
        case bool() | int() | float():
            return Received(np.asarray(value)) if _fits(value) else Received(None, "an integer beyond 64 bits")
        case Wrapped():
            inner = receive_array(value.value)
            return Received(inner.array, f"{_article(value.type_name)}, not a plain array")
        case list() | tuple():
            array = _from_nested(value)
            return Received(array, f"{_article(type(value).__name__)}, not an array")
        case _:
            return Received(None, name_value(value))


def _fits(value: float) -> bool:
    return isinstance(value, bool | float) or -(2**63) <= value < 2**63


def _from_nested(value: Sequence[Any]) -> Array | None:
    if not 0 <= _count_numbers(value) <= LARGEST:
        return None
    try:
        array = np.asarray(value)
    except (ValueError, OverflowError):
        return None
    return array if array.dtype.kind in "biuf" and array.size else None


def _count_numbers(value: Sequence[Any]) -> int:
    """Return how many numbers nested lists, tuples and arrays hold, roughly; -1 where they hold anything else."""
    count, waiting = 0, [value]
    while waiting:
        part = waiting.pop()
        kinds = set(map(type, part))  # a loop over the items, in Python, would take ten times as long
        if not kinds <= _HOLDS_NUMBERS:
            return -1
        count += len(part)
        if np.ndarray in kinds:
            count += sum(x.size for x in part if isinstance(x, np.ndarray))
        if kinds & _NESTED:
            waiting += [x for x in part if type(x) in _NESTED]
    return count


def _flatten(value: Any) -> tuple[Array, ...] | None:
    """Return the arrays and numbers in nested tuples, in order; None where something else is there, or too much."""
    numbers: list[Array] = []
    for thing in islice(_open_tuples(value), _MOST_THINGS + 1):
        array = receive_array(thing).array
        if array is None or len(numbers) == _MOST_THINGS:
            return None
        numbers.append(array)
    return tuple(numbers)


def _open_tuples(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        for part in value:
            yield from _open_tuples(part)
    else:
        yield value


def name_value(value: Any) -> str:  # noqa: PLR0911 (one line for each kind)
    """Return what a value is, in words for a sentence: "None", "a tuple of 3", "a complex array"."""
    match value:
        case None:
            return "None"
        case np.ndarray():
            return f"{'a complex' if value.dtype.kind == 'c' else 'an'} array of shape {value.shape}"
        case Wrapped():
            return _article(value.type_name)
        case Opaque():
            return f"{_article(value.type_name)} ({value.why})"
        case complex():
            return "a complex number"
        case str():
            return "a string"
        case tuple() | list() | dict():
            return f"{_article(type(value).__name__)} of {len(value)}"
        case _:
            return _article(type(value).__name__)


def _article(word: str) -> str:
    return f"{'an' if word[:1].lower() in 'aeiou' else 'a'} {word}"
