"""Compare what a call returned with the right answer: container, shape, numbers. Scale-aware, never relative per entry.

    finite  and  same shape  and  max|y - r| <= tol * scale

Tests are written `not (error <= limit)`, because NaN passes `error > limit`.
"""

from collections.abc import Sequence
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from grader.calls import Opaque, Wrapped
from grader.exercises.ladders.model import Array, Limit
from grader.exercises.model import Function
from grader.key.model import holds_text

_DOUBLE = 8  # bytes of a number in double precision


class Band(IntEnum):
    """How near the right answer, best first."""

    RIGHT = 0
    NOTE = 1
    WRONG = 2


class Received(NamedTuple):
    """One returned thing as a plain array. `array` is None where it holds no numbers; `form` says what is odd."""

    array: Array | None
    form: str = ""


class ItemVerdict(NamedTuple):
    """The judgement of one returned thing. `error` is max|y - r| / scale, None where they cannot be compared."""

    band: Band
    error: float | None
    form: str
    received: Array | None
    right: Array

    @property
    def single(self) -> bool:
        """Whether the result came in less than double precision."""
        return self.received is not None and self.received.dtype.kind == "f" and self.received.dtype.itemsize < _DOUBLE


def receive(value: Any, function: Function, *, twice: bool = False) -> tuple[Received, ...] | str:
    """Read a returned value as the function's items, or say in words why it cannot be read so.

    `twice`: the value is the pair of results of a call made twice.
    """
    if twice:
        first, second = value if isinstance(value, tuple) and len(value) == 2 else (None, None)  # noqa: PLR2004
        one, other = receive(first, function), receive(second, function)
        if isinstance(one, str) or isinstance(other, str):
            return one if isinstance(one, str) else other
        return one + other
    if len(function.returns) == 1:
        only = receive_array(value)
        return only.form if only.array is None else (only,)
    wanted = " and ".join(item.name for item in function.returns)
    if not isinstance(value, tuple | list) or len(value) != len(function.returns):
        return f"{name_value(value)}, not the pair of {wanted}"
    items = tuple(receive_array(part) for part in value)
    for item, record in zip(items, function.returns, strict=True):
        if item.array is None:
            return f"{item.form} as {record.name}"
    # Of a pair it is told which half is odd.
    return tuple(
        item._replace(form=f"{item.form} as {record.name}") if item.form else item
        for item, record in zip(items, function.returns, strict=True)
    )


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


def judge_item(received: Received, right: Array, limit: Limit, name: str) -> ItemVerdict:
    """Judge one returned thing. Right numbers with a squeezed or added axis of length one keep their band."""
    array, form = received.array, received.form
    if array is None:
        return ItemVerdict(Band.WRONG, None, form, None, right)
    if array.shape != right.shape:
        form = form or f"{name} has shape {array.shape} where {right.shape} is expected"
        if _squeezed(array.shape) != _squeezed(right.shape):
            return ItemVerdict(Band.WRONG, None, form, array, right)
    if right.dtype.kind == "i" and array.dtype.kind not in "iu":
        form = form or f"{name} holds {array.dtype} numbers where integers are expected"
    scale = limit.scaled_by(right)
    error = distance(array.reshape(right.shape), right) / scale
    return ItemVerdict(_band(error, limit), error, form, array, right)


def _squeezed(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(length for length in shape if length != 1)


def distance(array: Array, right: Array) -> float:
    """Return max|y - r|, infinite where anything is not finite. The shapes are equal."""
    if not array.size:
        return 0.0
    difference = array.astype(np.float64) - right.astype(np.float64)
    if not np.all(np.isfinite(difference)):
        return float("inf")
    return float(np.max(np.abs(difference)))


def _band(error: float, limit: Limit) -> Band:
    if error <= limit.right:
        return Band.RIGHT
    if limit.note is not None and error <= limit.note:
        return Band.NOTE
    return Band.WRONG
