"""Turns a value that a student's function returned into one that may travel.

Only exact types do. A subclass could lie about everything (`array_class_that_is_always_equal` among the attacks), or
never return from a method, so its methods are never called. An unknown type becomes an `opaque` mark, which carries the
type's name and the reason, nothing else.
"""

import math
import sys
from typing import Any

import numpy as np

from ..shared.wire import KINDS, MAX_DIMENSIONS, MAX_INT_BITS, Special, is_narrow

# Below the wire's own limits, so that a reply within these always fits into a frame beside its echo.
MAX_DEPTH = 14
MAX_NODES = 20_000  # items of lists and dicts
MAX_BYTES = 48 << 20  # of all arrays of a reply
MAX_TEXT = 1 << 16  # characters

_ARRAY, _SCALAR, _MATRIX = np.ndarray, np.generic, np.matrix
_as_plain_array = np.ndarray.view
_LONG_FLOATS = (np.longdouble, np.float16, np.float32)
_LONG_COMPLEX = np.clongdouble
_DOUBLES = {"f": np.float64, "c": np.complex128}
_product = math.prod
_tuple_items = tuple.__iter__
_bare_text = str.__str__
# Read past the metaclass, which may say something else or raise.
_real_name = type.__dict__["__name__"].__get__
_real_module = type.__dict__["__module__"].__get__


def text(value: object, limit: int) -> str:
    """Return an exact, printable string of at most `limit` characters; surrogates are replaced."""
    plain = value if type(value) is str else "?"
    cut = plain if len(plain) <= limit else plain[: limit - 3] + "..."
    return cut if cut.isascii() else cut.encode("utf-8", "replace").decode()


def bare_name(kind: type) -> str:
    """Return the name a class was made with, whatever its metaclass says."""
    return text(_real_name(kind), 80)


def type_name(kind: type) -> str:
    """Return `list`, `numpy.matrix`, or the bare name of a student's own class."""
    name, module = bare_name(kind), _real_module(kind)
    if type(module) is str and module.split(".")[0] == "numpy":
        return "numpy." + name
    return name


def _masked_array() -> type | None:
    """Return NumPy's class of masked arrays if something has imported it, which takes too long to do it here."""
    module = sys.modules.get("numpy.ma")
    kind = getattr(module, "MaskedArray", None)
    return kind if isinstance(kind, type) and issubclass(kind, _ARRAY) else None


class _TooManyError(Exception):
    """The allowance of items is used up."""


class Converter:
    """Converts the values of one reply; the allowance is shared by all of them."""

    def __init__(self) -> None:
        self.nodes = 0
        self.bytes = 0

    def __call__(self, value: Any) -> Any:
        """Return `value` as exact plain types, arrays and marks. Raises nothing for odd values."""
        try:
            return self._node(value, 0)
        except _TooManyError:
            return Special("opaque", type_name(type(value)), f"more than {MAX_NODES} items")

    def _node(self, value: Any, depth: int) -> Any:  # noqa: PLR0911 (one line for each exact type)
        kind = type(value)
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise _TooManyError
        if depth > MAX_DEPTH:
            return Special("opaque", type_name(kind), f"nested more than {MAX_DEPTH} deep")
        if value is None or kind is bool or kind is float or kind is complex:
            return value
        if kind is int:
            return value if value.bit_length() <= MAX_INT_BITS else Special("opaque", "int", "an integer too large")
        if kind is str:
            return text(value, MAX_TEXT) if len(value) <= MAX_TEXT else Special("opaque", "str", "a very long string")
        # One item more than allowed is enough to notice: a list may hold itself a thousand times.
        if kind is list:
            return [self._node(x, depth + 1) for x in value[: MAX_NODES + 1]]
        if kind is tuple:
            return tuple([self._node(x, depth + 1) for x in value[: MAX_NODES + 1]])
        return self._other(value, kind, depth)

    def _other(self, value: Any, kind: type, depth: int) -> Any:
        """Return a value whose type is none of the usual ones, by what its class is derived from."""
        if kind is dict:
            return self._mapping(value, depth)
        if issubclass(kind, _ARRAY):
            return self._array(value, kind, depth)
        if issubclass(kind, str):  # a member of an enumeration, or NumPy's string, which is a scalar, too
            return self._node(_bare_text(value), depth)
        if issubclass(kind, tuple):  # a named tuple: its items, read past its own methods
            return self._node(_bare_tuple(value), depth)
        if issubclass(kind, _SCALAR):
            return self._scalar(value, kind)
        return Special("opaque", type_name(kind), "not an array or a plain Python value")

    def _mapping(self, value: dict[Any, Any], depth: int) -> Any:
        if len(value) > MAX_NODES or not all(type(k) in (str, int, float, bool) for k in value):
            return Special("opaque", "dict", "keys other than strings and numbers")
        return {self._node(k, depth + 1): self._node(v, depth + 1) for k, v in value.items()}

    def _scalar(self, value: Any, kind: type) -> Any:
        """Return a number of NumPy's as Python's. Its own methods are safe to call, a subclass's are not."""
        if _real_module(kind) != "numpy" or kind.__mro__[0] is not kind:
            return Special("opaque", type_name(kind), "a number type of its own")
        if kind in _LONG_FLOATS:
            return float(value)
        if kind is _LONG_COMPLEX:
            return complex(value)
        bare = value.item()
        if type(bare) in (bool, int, float, complex):
            return bare
        return Special("opaque", type_name(kind), "not a number")

    def _array(self, value: Any, kind: type, depth: int) -> Any:
        if kind is _ARRAY:
            if value.dtype.kind == "O":
                return self._objects(value, depth)
            if value.dtype.kind == "U" and value.size <= MAX_NODES:
                return Special("wrapped", "numpy.ndarray of texts", self._node(value.tolist(), depth + 1))
            return self._numbers(value)
        if kind is _MATRIX or kind is _masked_array():
            inner = self._numbers(_as_plain_array(value, _ARRAY))
            return inner if type(inner) is Special else Special("wrapped", type_name(kind), inner)
        return Special("opaque", type_name(kind), "an array class of its own")

    def _numbers(self, value: Any) -> Any:
        """Return an array of plain numbers as it is, and a mark for any other."""
        if value.dtype.kind not in KINDS:
            return Special("opaque", "numpy.ndarray", f"dtype {text(value.dtype.str, 24)} is not numeric")
        if value.ndim > MAX_DIMENSIONS:
            return Special("opaque", "numpy.ndarray", f"{value.ndim} dimensions")
        # `np.empty((10**8, 0))` takes no memory until somebody writes it as nested lists.
        if value.size == 0 and _places(value.shape) > MAX_NODES:
            return Special("opaque", "numpy.ndarray", "an empty array with an axis of millions")
        if not is_narrow(value.dtype):  # long double is another thing on each machine, so it does not travel
            value = value.astype(_DOUBLES[value.dtype.kind])
        # Before any copy: `np.broadcast_to` makes terabytes of one number.
        if self.bytes + value.nbytes > MAX_BYTES:
            return Special("opaque", "numpy.ndarray", f"an array of {value.nbytes} bytes is over the limit")
        self.bytes += value.nbytes
        return value

    def _objects(self, value: Any, depth: int) -> Any:
        if value.size > MAX_NODES:
            return Special("opaque", "numpy.ndarray", "a large array of Python objects (dtype object)")
        inner = self._node(value.tolist(), depth + 1)
        if _only_numbers(inner):
            return Special("wrapped", "numpy.ndarray of dtype object", inner)
        return Special("opaque", "numpy.ndarray", "an array of Python objects (dtype object)")


def _places(shape: tuple[int, ...]) -> int:
    """Return how many places nested lists of this shape have, those of empty axes included."""
    return _product([max(extent, 1) for extent in shape])


def _bare_tuple(value: Any) -> tuple[Any, ...]:
    return tuple(_tuple_items(value))


def _only_numbers(inner: Any) -> bool:
    if type(inner) is list:
        return all(_only_numbers(x) for x in inner)
    return type(inner) in (bool, int, float, complex)
