"""Frames between the grader and a child: a JSON header and raw array bytes, nothing that can carry code.

A frame is `<u32 header length><u64 body length>`, the header, the body. The header is one message, a plain dict; long
strings and arrays stand in the body. Only exact built-in types, plain numeric arrays and `Special` marks travel, so it
never matters what a type claims to be. No pickle: to read one is to run what it says.

Student code can write whatever it likes to its end of the connection. So sizes, depth and number of nodes are bounded
when a frame is made and again when it is read, and a reader raises nothing but `WireError`; a million mutated frames
are among the tests.

This module runs in the child, too, so it imports nothing of the grader.
"""

import json
import re
import struct
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

MAX_HEAD = 1 << 20  # bytes; JSON of that size takes some 50 ms to read
MAX_BODY = 64 << 20  # bytes: 8 million numbers, hundreds of times what an exercise needs
MAX_DEPTH = 20  # of lists in lists; far deeper ones would exhaust the stack of the reading process
MAX_NODES = 50_000
MAX_INT_BITS = 4096  # JSON spells integers in decimal, which Python refuses from 4300 digits on
MAX_DIMENSIONS = 32  # NumPy before 2 knows no more
SHORT_TEXT = 512  # longer strings go into the body: they cost nothing there, and the header stays small
KINDS = "biufc"  # truth values, integers, floats, complex numbers: no objects, no records, no dates
WIDEST = {"f": 8, "c": 16}  # bytes of a number; a wider one is another thing on each machine
PREFIX = struct.Struct("<IQ")

_ALIGN = 16  # of arrays in the body, so that they can be used where they lie
# Simple types only. NumPy reads a dtype of 300,000 fields as well, for seconds, and one that holds objects
# (`forge_huge_dtype` among the attacks).
_DTYPE = re.compile(r"[<>|][biufc][1-9][0-9]?\Z")
_ARRAY = np.ndarray
_dtype = np.dtype
_frombuffer = np.frombuffer
_empty = np.empty

type_of = type  # student code may rebind names in `builtins`; what was looked up here stays
_write, _read = json.JSONEncoder(separators=(",", ":")).encode, json.JSONDecoder().decode


class WireError(Exception):
    """Bytes that arrived are no frame, or a message that should be sent does not fit into one."""


class Special(NamedTuple):
    """A mark for something that is not plain."""

    kind: str
    name: str
    value: Any = None  # the bare value of a container, or the reason why there is none


def is_narrow(dtype: Any) -> bool:
    """Return whether the numbers of an array are no wider than double precision."""
    return bool(dtype.itemsize <= WIDEST.get(dtype.kind, dtype.itemsize))


class _Encoder:
    """Turns one message into JSON nodes and a list of body pieces."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.size = 0
        self.nodes = 0

    def blob(self, content: bytes) -> int:
        """Put bytes into the body; return their number."""
        gap = -self.size % _ALIGN
        self.size += gap + len(content)
        if self.size > MAX_BODY:
            message = f"a frame of more than {MAX_BODY} bytes"
            raise WireError(message)
        self.pieces += [b"\0" * gap, content]
        return len(content)

    def node(self, x: Any, depth: int = 0) -> Any:  # noqa: C901, PLR0911 (one line for each type that may travel)
        self.nodes += 1
        if depth > MAX_DEPTH or self.nodes > MAX_NODES:
            message = "nested too deep, or too many items"
            raise WireError(message)
        t = type_of(x)
        if x is None or t is bool or t is float:
            return x
        if t is int and x.bit_length() <= MAX_INT_BITS:
            return x
        if t is str:
            return x if len(x) <= SHORT_TEXT else ["b", self.blob(x.encode("utf-8", "replace"))]
        if t is list or t is tuple:
            return ["l" if t is list else "t", [self.node(y, depth + 1) for y in x]]
        if t is dict:
            # A dict of the protocol has short strings for keys, and is a JSON object. Any other one is a list of pairs.
            if all(type_of(k) is str and len(k) <= SHORT_TEXT for k in x):
                self.nodes += len(x)
                return {k: self.node(v, depth + 1) for k, v in x.items()}
            return ["d", [[self.node(k, depth + 1), self.node(v, depth + 1)] for k, v in x.items()]]
        if t is complex:
            return ["c", x.real, x.imag]
        if t is bytes:
            return ["y", self.blob(x)]
        if t is Special:
            return ["s", x.kind, x.name, self.node(x.value, depth + 1)]
        if t is _ARRAY and x.dtype.kind in KINDS and x.ndim <= MAX_DIMENSIONS and is_narrow(x.dtype):
            if x.nbytes > MAX_BODY:  # before any copy: a broadcast view of one number may claim terabytes
                message = f"an array of {x.nbytes} bytes"
                raise WireError(message)
            return ["a", x.dtype.str, list(x.shape), self.blob(x.tobytes())]
        message = f"{t.__name__} cannot travel"
        raise WireError(message)


def pack(message: Mapping[str, Any]) -> bytes:
    """Return one frame.

    Parameters
    ----------
    message : dict
        Of exact built-in types, numeric arrays and `Special` marks only.

    Raises
    ------
    WireError
        If something in it cannot travel, or there is too much of it.
    """
    encoder = _Encoder()
    head = _write(encoder.node(message)).encode()
    if len(head) > MAX_HEAD:
        reason = f"a header of more than {MAX_HEAD} bytes"
        raise WireError(reason)
    return b"".join([PREFIX.pack(len(head), encoder.size), head, *encoder.pieces])


def sizes(prefix: bytes) -> tuple[int, int]:
    """Return the lengths of header and body that a frame's first `PREFIX.size` bytes announce.

    They are held against the caps before anything is read or allocated: a child may announce 2^63 bytes.
    """
    head, body = PREFIX.unpack(prefix)
    if head > MAX_HEAD or body > MAX_BODY:
        message = f"a frame announces {head} + {body} bytes"
        raise WireError(message)
    return head, body


class _Decoder:
    """Turns JSON nodes and the body back into values, believing nothing."""

    def __init__(self, body: bytes, make: Mapping[str, Callable[[str, Any], Any]]) -> None:
        self.body = body
        self.make = make
        self.at = 0
        self.nodes = 0

    def blob(self, size: Any) -> int:
        """Return where the next piece of the body begins; it must lie within."""
        start = self.at + -self.at % _ALIGN
        if type_of(size) is not int or size < 0 or start + size > len(self.body):
            message = "a piece lies outside the body"
            raise WireError(message)
        self.at = start + size
        return start

    def value(self, node: Any, depth: int = 0) -> Any:
        self.nodes += 1
        if depth > MAX_DEPTH or self.nodes > MAX_NODES:
            message = "nested too deep, or too many items"
            raise WireError(message)
        t = type_of(node)
        if t is float or node is None or t is bool:
            return node
        if t is str:  # JSON may spell a lone surrogate, which no file and no terminal takes
            return node if node.isascii() else node.encode("utf-8", "replace").decode()
        if t is list and len(node) == 4 and node[0] == "a":  # noqa: PLR2004 (an array, the commonest list)
            return self.array(node[1], node[2], node[3])
        if t is int and node.bit_length() <= MAX_INT_BITS:
            return node
        if t is dict:
            self.nodes += len(node)
            return {k if k.isascii() else self.value(k): self.value(v, depth + 1) for k, v in node.items()}
        if t is list:
            return self.marked(node, depth)
        message = "not a node"
        raise WireError(message)

    def marked(self, node: list[Any], depth: int) -> Any:  # noqa: PLR0911 (one line for each mark)
        """Return the value of a list whose first item says what it is."""
        match node:
            case ["l", [*items]]:
                return [self.value(x, depth + 1) for x in items]
            case ["t", [*items]]:
                return tuple([self.value(x, depth + 1) for x in items])
            case ["d", [*items]]:
                return {self.value(k, depth + 1): self.value(v, depth + 1) for k, v in items}
            case ["c", float(real), float(imag)]:
                return complex(real, imag)
            case ["y", size]:
                start = self.blob(size)
                return self.body[start : start + size]
            case ["b", size]:
                start = self.blob(size)
                return self.body[start : start + size].decode("utf-8", "replace")
            case ["s", str(kind), str(name), inner] if kind in self.make:
                return self.make[kind](self.value(name), self.value(inner, depth + 1))
        message = "unknown node"
        raise WireError(message)

    def array(self, dtype: Any, shape: Any, size: Any) -> Any:
        """Return a read-only view of the body, after checking all that NumPy would believe."""
        plain = type_of(dtype) is str and type_of(shape) is list
        if not plain or not _DTYPE.match(dtype) or len(shape) > MAX_DIMENSIONS:
            message = "not a numeric array"
            raise WireError(message)
        kind = _dtype(dtype)
        count = 1
        for extent in shape:
            if type_of(extent) is not int or extent < 0:  # two negative ones would have a product that fits
                message = "a negative extent"
                raise WireError(message)
            count *= extent
        start = self.blob(size)
        if kind.kind not in KINDS or not is_narrow(kind) or count * kind.itemsize != size:
            message = "shape and size of an array disagree"
            raise WireError(message)
        if not size:  # a buffer of no bytes cannot be viewed
            return _empty(shape, kind)
        return _frombuffer(self.body, kind, count, start).reshape(shape)


def unpack(head: bytes, body: bytes, make: Mapping[str, Callable[[str, Any], Any]]) -> dict[str, Any]:
    """Return one frame's message.

    Parameters
    ----------
    head, body : bytes
        The two parts, of the announced lengths.
    make : mapping
        For each kind of `Special` that may occur here, what makes the value from its name and inner value.

    Returns
    -------
    dict
        The message. Arrays are read-only views of `body`.

    Raises
    ------
    WireError
        If anything is wrong with the frame.
    """
    try:
        told = _Decoder(body, make).value(_read(head.decode()))
    except WireError:
        raise
    except Exception as error:  # noqa: BLE001 (whatever is malformed, it is one kind of fault)
        message = f"{type_of(error).__name__}: {str(error)[:100]}"
        raise WireError(message) from None
    if type_of(told) is not dict:
        message = "not a message"
        raise WireError(message)
    return told
