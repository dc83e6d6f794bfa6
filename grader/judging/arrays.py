"""Compare what a call returned with the right answer: shape and numbers. Scale-aware, never relative per entry.

    finite  and  same shape  and  max|y - r| <= tol * scale

Tests are written `not (error <= tolerance)`, because NaN passes `error > tolerance`.
"""

import math
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from grader.exercises.probe import Array, Tolerance
from grader.judging.reading import Received

_DOUBLE = 8  # bytes of a number in double precision
_ONE_FACTOR = 1e-6  # the ratios of all entries count as one factor where they differ by no more than this


class Band(IntEnum):
    """How near the right answer, best first."""

    RIGHT = 0
    NOTE = 1
    WRONG = 2


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


def judge_item(received: Received, right: Array, tolerance: Tolerance, name: str) -> ItemVerdict:
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
    scale = tolerance.scaled_by(right)
    error = distance(array.reshape(right.shape), right) / scale
    return ItemVerdict(_band(error, tolerance), error, form, array, right)


def _squeezed(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(length for length in shape if length != 1)


def distance(array: Array, right: Array) -> float:
    """Return max|y - r|, infinite where anything is not finite. The shapes are equal."""
    if not array.size:
        return 0.0
    # Two thirds of judging's time is spent here, so finiteness is not checked entry by entry: the largest difference
    # is not finite wherever any entry is not.
    difference = np.subtract(array, right, dtype=np.float64)
    largest = float(np.maximum.reduce(np.absolute(difference), axis=None))
    return largest if math.isfinite(largest) else math.inf


def _band(error: float, tolerance: Tolerance) -> Band:
    if error <= tolerance.right:
        return Band.RIGHT
    if tolerance.note is not None and error <= tolerance.note:
        return Band.NOTE
    return Band.WRONG


def constant_ratio(item: ItemVerdict) -> float | None:
    """Return the factor, other than 1, that turns all right values into the student's; None where there is none."""
    if item.received is None or item.received.size != item.right.size or not item.right.size:
        return None
    y, r = item.received.reshape(-1).astype(np.float64), item.right.reshape(-1).astype(np.float64)
    if not np.all(np.isfinite(y)):
        return None
    size = float(np.dot(r, r))
    ratio = float(np.dot(y, r)) / size if size else 0.0
    if not np.isfinite(ratio) or abs(ratio) < _ONE_FACTOR or abs(ratio - 1) < _ONE_FACTOR:
        return None
    return ratio if distance(y, ratio * r) <= _ONE_FACTOR * float(np.abs(y).max()) else None
