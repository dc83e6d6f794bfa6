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
_array, _ndarray, _repeat, _float32 = np.array, np.ndarray, np.repeat, np.float32
_type = type


class Made(NamedTuple):
    """One call that returned."""

    value: Any  # with a second call, the pair of both results
    args: tuple[Any, ...]  # as they are after the call
    seconds: float  # of the calls alone


class Form(NamedTuple):
    """How array arguments come to a function: "C" or "F" is their layout in memory, "S" a slice with a step.

    Read-only ones refuse to be written to; floating ones may come in single precision.
    """

    order: Any = "C"
    readonly: bool = False
    single: bool = False


_USUAL = Form()


def copy_fresh(value: Any, form: Form) -> Any:
    """Return an argument with own copies of all arrays in it; what is neither array, list nor tuple stays itself."""
    kind = _type(value)
    if kind is list:
        return [copy_fresh(item, form) for item in value]
    if kind is tuple:
        return tuple([copy_fresh(item, form) for item in value])
    return lay_out(value, form) if kind is _ndarray else value


def lay_out(array: Any, form: Form) -> Any:
    """Return a copy of an array in this form. In the form "S" a gap stands behind each number."""
    if form.single and array.dtype.kind == "f":
        array = array.astype(_float32)
    if form.order == "S" and array.ndim:
        copy = _repeat(array, 2, axis=-1)[..., ::2]
    else:
        copy = _array(array, order="C" if form.order == "S" else form.order, copy=True)
    if form.readonly:
        copy.flags.writeable = False
    return copy


def make_call(
    function: Callable[..., Any], args: tuple[Any, ...], again: tuple[Any, ...] | None = None, form: Form = _USUAL
) -> Made:
    """Call a function with fresh copies of its arguments; raise what it raises.

    With `again`, the function is called a second time, with those arguments, before anybody looks at the first result:
    one that returns a buffer of its own is found out by that.
    """
    first, second = copy_fresh(args, form), copy_fresh(again, form)
    context = _copy_context()  # what NumPy should do about errors is part of it, and so ends with the call
    start = _perf_counter()
    value = context.run(function, *first)
    if again is not None:
        value = (value, context.run(function, *second))
    return Made(value, first, _perf_counter() - start)
