"""The sandbox's vocabulary: what a child process may be asked, and what it may answer. Plain data only.

A `Program` is one person's work as text. A `Call` asks for one function with given arguments. Arguments are
numbers, strings, arrays, lists and tuples of these, a `Ref` (the student's own result of an earlier call, filled in
by the parent) or a `Smooth` (a scalar function that the child makes by name). Nothing here knows a right answer.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple

from grader.limits import Limits as Limits  # noqa: PLC0414 (a word of this vocabulary, in a module of its own)


class Cell(NamedTuple):
    """A piece of Python that runs as one: a notebook cell (numbered from 1) or a whole script (`None`)."""

    text: str
    number: int | None = None


class Unit(NamedTuple):
    """One file of a submission, as a module of the child."""

    module: str  # the name under which `import` finds it; unique in a program
    file: str  # the name shown in messages, relative to the submission
    cells: tuple[Cell, ...]
    aliases: tuple[str, ...] = ()  # further names for `import`: `third_key` for `doe_1_third_key-1.py`
    notebook: bool = False
    address: str = ""  # dotted path of its folders and its stem, from which relative imports start; empty: the module
    package: bool = False  # an `__init__.py`: its address is that of its folder


class Program(NamedTuple):
    """One person's work: what is run, in which order, and where each asked-for name is taken from."""

    units: tuple[Unit, ...]
    run: tuple[str, ...]  # modules that are run, in this order; the others run when they are imported
    homes: Mapping[str, str]  # asked-for name -> module whose definition counts
    stubs: tuple[tuple[str, str], ...] = ()  # (module, name): an untouched stub, rebound to the definition that counts
    absent: tuple[
        str, ...
    ] = ()  # exercise modules that were not handed in: importing them works, calling them does not


# `Ref`, `Smooth`, `Opaque` and `Wrapped` stand among values, and a value that is a tuple is looked into: they are none.


@dataclass(frozen=True)
class Ref:
    """The student's own result of an earlier call, or one item of it where that is a tuple."""

    call: str
    item: int | None = None


@dataclass(frozen=True)
class Smooth:
    """A smooth scalar function of an array that the child makes by name (`smooth.SMOOTH`)."""

    name: str


class Call(NamedTuple):
    """One question to the student's code.

    With `again`, the function is called a second time with those arguments before the first result is looked at, and
    the reply's value is the tuple (first result, second result). With `constant`, the name is read, not called.
    """

    id: str
    function: str
    args: tuple[Any, ...] = ()
    again: tuple[Any, ...] | None = None
    constant: bool = False
    order: str = "C"  # memory layout of array arguments: "C", "F", or "S" for a slice with a step
    readonly: bool = False  # array arguments refuse to be written to
    single: bool = False  # floating array arguments come in single precision
    echo: bool = False  # the reply carries the arguments as they are after the call
    later: bool = False  # asked when all others are answered, so that no earlier answer can hold its arguments


class Ended(StrEnum):
    """How one call ended."""

    RETURNED = "returned"
    RAISED = "raised"
    TIMEOUT = "timeout"
    CRASHED = "crashed"
    MEMORY = "memory"
    MISSING = "missing"  # no such name in the program
    SKIPPED = "skipped"  # a `Ref` has no usable value, or an earlier call of the function timed out
    LOST = "lost"  # the file that holds the function could not be run: see `Run.loads`


class StudentError(NamedTuple):
    """An exception of the student's code. No frame of the grader's is ever in it.

    `absent` is set where a placeholder was used: the module that is not installed, or `module.name` of a sibling
    file that was not handed in.
    """

    type: str
    message: str
    file: str | None = None
    cell: int | None = None
    line: int | None = None
    text: str | None = None  # the source line
    function: str | None = None  # name of the innermost student function
    absent: str | None = None
    bases: tuple[str, ...] = ()  # names of the exception's base classes, nearest first


@dataclass(frozen=True)
class Opaque:
    """A value that cannot be judged: the type's name and why. `repr` is safe to print."""

    type_name: str
    why: str


@dataclass(frozen=True)
class Wrapped:
    """An array or number that came in a container other than a plain array: `np.matrix`, a masked or object array.

    `value` holds the bare numbers (a plain array, or nested lists), `type_name` what the student returned.
    """

    type_name: str
    value: Any


class Reply(NamedTuple):
    """What one call gave. `value` holds only exact plain types, arrays, `Wrapped` and `Opaque`."""

    ended: Ended
    value: Any = None
    error: StudentError | None = None
    echo: tuple[Any, ...] | None = None
    seconds: float = 0.0
    detail: str = ""  # limit, signal or missing reference, for the message
    flag: str = ""  # why a person should look at it: the system cannot tell for sure whose fault it was


class Load(NamedTuple):
    """How running one file, or one cell of a notebook, went wrong. A cell that failed does not stop the others."""

    module: str
    file: str
    cell: int | None
    ended: Ended
    error: StudentError | None = None
    detail: str = ""
    flag: str = ""  # as that of a reply


class Run(NamedTuple):
    """All that one submission gave."""

    replies: Mapping[str, Reply]  # by call id
    loads: tuple[Load, ...] = ()
    notes: tuple[str, ...] = ()  # e.g. "matplotlib is not installed here; ..."
    output: str = ""  # what the code printed: head and tail
    isolation: Mapping[str, Any] = MappingProxyType({})


Further = Callable[[Mapping[str, Reply]], Sequence[Call]]
"""Says what else to ask, from the replies to all calls that are not `later`."""
