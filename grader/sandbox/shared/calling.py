"""Makes one call, in one way: a student's function in the child, a reference where the answer key is built.

Every array is copied before the call, so that a function which writes into its arguments changes nothing but its own.
Student code may rebind names in `numpy`, `time` and `builtins`; what is used here was looked up before it ran.
"""

import contextvars
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

_perf_counter, _copy_context = time.perf_counter, contextvars.copy_context
_array, _ndarray = np.array, np.ndarray
_type = type


class Made(NamedTuple):
    """One call that returned."""

    value: Any  # with a second call, the pair of both results
    args: tuple[Any, ...]  # as they are after the call
    seconds: float  # of the calls alone


def copy_fresh(value: Any, order: Any, *, readonly: bool) -> Any:
    """Return an argument with own copies of all arrays in it.

    Parameters
    ----------
    value : object
        An array, a list or tuple that may hold arrays, or anything else, which is returned itself.
    order : {"C", "F"}
        Memory layout of the copies.
    readonly : bool
        Whether the copies refuse to be written to.
    """
    kind = _type(value)
    if kind is list:
        return [copy_fresh(item, order, readonly=readonly) for item in value]
    if kind is tuple:
        return tuple([copy_fresh(item, order, readonly=readonly) for item in value])
    if kind is _ndarray:
        copy = _array(value, order=order, copy=True)
        if readonly:
            copy.flags.writeable = False
        return copy
    return value


def make_call(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    again: tuple[Any, ...] | None = None,
    *,
    order: str = "C",
    readonly: bool = False,
) -> Made:
    """Call a function with fresh copies of its arguments; raise what it raises.

    With `again`, the function is called a second time, with those arguments, before anybody looks at the first result:
    one that returns a buffer of its own is found out by that.
    """
    first = copy_fresh(args, order, readonly=readonly)
    second = copy_fresh(again, order, readonly=readonly)
    context = _copy_context()  # what NumPy should do about errors is part of it, and so ends with the call
    start = _perf_counter()
    value = context.run(function, *first)
    if again is not None:
        value = (value, context.run(function, *second))
    return Made(value, first, _perf_counter() - start)
