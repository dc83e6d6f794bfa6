"""A returned value, read once: what it holds as plain arrays, and why it cannot be read as asked where it cannot.

Everything that judges, names or carries a result on uses this reading; nobody looks at the reply's value again, so two
rules cannot understand one answer in two ways. (Only what is shown to a reader is written from the value itself.)
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from grader.calls import Opaque, Wrapped
from grader.exercises.exercise import Function
from grader.exercises.probe import Array
from grader.key.answer_key import flatten, holds_text


class Received(NamedTuple):
    """One returned thing as a plain array. `array` is None where it holds no numbers; `form` says what is odd."""

    array: Array | None
    form: str = ""


class Reading(NamedTuple):
    """What one call returned.

    `items` are the things that the function returns, as far as they are there. `fault` says why they are not what was
    asked for. Then `numbers` are all arrays and numbers in the value, in order, as a known mistake's answer has them:
    it may have the same fault. They are None where something is not a number, or where there is no fault.
    """

    items: tuple[Received, ...] = ()
    fault: str = ""
    numbers: tuple[Array, ...] | None = None


def read_value(value: Any, function: Function, *, twice: bool = False) -> Reading:
    """Read a returned value as the function's items.

    `twice`: the value is the pair of results of a call made twice; the items of the second follow those of the first.
    """
    reading = _read_pair(value, function) if twice else _read_once(value, function)
    return reading._replace(numbers=_flatten(value)) if reading.fault else reading


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
    # Of a pair it is told which half is odd.
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
    if holds_text(value):
        return None
    try:
        array = np.asarray(value)
    except (ValueError, OverflowError):
        return None
    return array if array.dtype.kind in "biuf" and array.size else None


def _flatten(value: Any) -> tuple[Array, ...] | None:
    try:
        return flatten(_bare(value))
    except (TypeError, ValueError, OverflowError):
        return None


def _bare(value: Any) -> Any:
    match value:
        case Wrapped():
            return value.value
        case tuple():
            return tuple(_bare(part) for part in value)
        case _:
            return value


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
            return "a text"
        case tuple() | list() | dict():
            return f"{_article(type(value).__name__)} of {len(value)}"
        case _:
            return _article(type(value).__name__)


def _article(word: str) -> str:
    return f"{'an' if word[:1].lower() in 'aeiou' else 'a'} {word}"
