"""Spoil one entry of what a right function returns. The child runs this module's source beside the solutions."""

from collections.abc import Callable
from typing import Any

import numpy as np


def spoil(function: Callable[..., Any], place: int) -> Callable[..., Any]:
    """Return the function with one entry of its `place`-th result wrong, and an array wherever it refused a call."""

    def spoiled(*args: Any) -> Any:
        try:
            value = function(*args)
        except ValueError:
            return np.zeros((1, 1))
        if not isinstance(value, tuple):
            return _move(value)
        return tuple(_move(thing) if k == place else thing for k, thing in enumerate(value))

    return spoiled


def _move(thing: Any) -> Any:
    """Return the thing with its last entry moved by a tenth of the largest: a fault that nobody calls rounding."""
    moved = np.array(thing)
    largest = np.max(np.abs(moved), initial=0)
    last = tuple(length - 1 for length in moved.shape)
    if moved.dtype.kind in "iu":
        moved[last] += 1
    else:
        moved[last] += 0.1 * largest if largest else 1
    return moved if moved.shape else moved.item()
