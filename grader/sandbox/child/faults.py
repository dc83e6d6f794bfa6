"""Tells an exception of the student's code, without a frame or a path of the grader's.

An exception's class is the student's and may lie about everything: its name, its bases, its traceback, its text. Names
and bases are read past the metaclass, by what `type` itself holds (`exceptions_that_lie` among the attacks).
"""

import linecache
from types import TracebackType
from typing import Any, NamedTuple

from .absent import AbsentError
from .values import bare_name, text

MAX_MESSAGE = 500
MAX_LINE = 200
MAX_BASES = 12
KEYBOARD = "reads keyboard input (input()); the grader gives none"

_real_mro = type.__dict__["__mro__"].__get__
_real_trace = BaseException.__dict__["__traceback__"].__get__


class Origin(NamedTuple):
    """A file or a cell that student code comes from."""

    file: str
    cell: int | None
    lines: tuple[str, ...]

    def line(self, number: int | None) -> str | None:
        """Return the source line of that number, counted from 1."""
        if number is None or not 1 <= number <= len(self.lines):
            return None
        return text(self.lines[number - 1].strip(), MAX_LINE)


class Sources:
    """All student code that was compiled, by the file name under which it was compiled."""

    def __init__(self) -> None:
        self.origins: dict[str, Origin] = {}

    def add(self, file: str, cell: int | None, source: str) -> str:
        """Remember a file or a cell; return the name to compile it under."""
        name = file if cell is None else f"{file}, cell {cell}"
        lines = source.splitlines(keepends=True)
        self.origins[name] = Origin(file, cell, tuple(lines))
        linecache.cache[name] = (len(source), None, lines, name)  # so that a student's own traceback shows lines
        return name

    def innermost(self, trace: TracebackType | None) -> tuple[Origin, int | None, str | None] | None:
        """Return origin, line and function of the innermost frame that is student code."""
        found = None
        while trace is not None:
            code = trace.tb_frame.f_code
            if code.co_filename in self.origins:
                name = None if code.co_name == "<module>" else text(code.co_name, 80)
                found = self.origins[code.co_filename], trace.tb_lineno, name
            trace = trace.tb_next
        return found


def _words_of(error: BaseException) -> str:
    """Return an exception's own text; empty where its `__str__` fails."""
    try:
        words = str(error)
    except BaseException:  # noqa: BLE001 (a student's own __str__ may do anything)
        return ""
    return text(words, MAX_MESSAGE)


def _number(value: object) -> int | None:
    return value if type(value) is int and 0 <= value < 1 << 31 else None


def is_memory(error: BaseException) -> bool:
    """Return whether memory ran out. The class is asked, not the object, which may lie."""
    return issubclass(type(error), MemoryError)


def describe(error: BaseException, sources: Sources) -> dict[str, Any]:
    """Return the fields of a `StudentError` as plain data, whatever the exception's class does when it is looked at."""
    try:
        return _describe(error, sources)
    except BaseException:  # noqa: BLE001 (a student's own class may do anything)
        return {"type": bare_name(type(error)), "message": ""}


def _describe(error: BaseException, sources: Sources) -> dict[str, Any]:
    told: dict[str, Any] = dict.fromkeys(("file", "cell", "line", "text", "function", "absent"))
    # An `AbsentError` is told as the ModuleNotFoundError that the student would see elsewhere.
    kinds = _real_mro(type(error))[1 if type(error) is AbsentError else 0 : MAX_BASES]
    told["type"], *told["bases"] = [bare_name(kind) for kind in kinds if kind is not object]
    told["message"] = _words_of(error)
    found = sources.innermost(_real_trace(error))
    if found is not None:
        told |= _locate(*found)
    # A file that does not compile has no frame; the error itself says where.
    if isinstance(error, SyntaxError) and type(error.filename) is str and error.filename in sources.origins:
        told |= _locate(sources.origins[error.filename], _number(error.lineno), None)
        told["message"] = text(error.msg, MAX_MESSAGE)
    if isinstance(error, EOFError) and told["message"].startswith("EOF when reading a line"):
        told["message"] = KEYBOARD
    if isinstance(error, ModuleNotFoundError) and type(error.name) is str:
        told["absent"] = text(getattr(error, "absent", None) or error.name.partition(".")[0], 200)
    return told


def _locate(origin: Origin, line: int | None, function: str | None) -> dict[str, Any]:
    """Return the fields that say where an exception was raised."""
    return {
        "file": origin.file,
        "cell": origin.cell,
        "line": line,
        "text": origin.line(line),
        "function": function,
    }
