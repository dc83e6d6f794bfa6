"""In the child: an exception of the student's code, told without a frame or a path of ours."""

import linecache
from types import TracebackType
from typing import Any, NamedTuple

from .absent import AbsentError
from .values import bare_name, text

MAX_MESSAGE = 500
MAX_LINE = 200
MAX_BASES = 12
KEYBOARD = "reads keyboard input (input()); the grader gives none"


_real_mro = type.__dict__["__mro__"].__get__  # not the metaclass's idea of it
_real_trace = BaseException.__dict__["__traceback__"].__get__


class Place(NamedTuple):
    """Where a piece of student code comes from."""

    file: str
    cell: int | None
    lines: tuple[str, ...]

    def line(self, number: int | None) -> str | None:
        """Return the source line of that number, counted from 1."""
        if number is None or not 1 <= number <= len(self.lines):
            return None
        return text(self.lines[number - 1].strip(), MAX_LINE)


class Sources:
    """All student code that was compiled, by the file name it was compiled under."""

    def __init__(self) -> None:
        self.places: dict[str, Place] = {}

    def add(self, file: str, cell: int | None, source: str) -> str:
        """Remember a file or a cell; return the name to compile it under."""
        name = file if cell is None else f"{file}, cell {cell}"
        lines = source.splitlines(keepends=True)
        self.places[name] = Place(file, cell, tuple(lines))
        linecache.cache[name] = (len(source), None, lines, name)  # so that a student's own traceback shows lines
        return name

    def innermost(self, trace: TracebackType | None) -> tuple[Place, int | None, str | None] | None:
        """Place, line and function of the innermost frame that is student code."""
        found = None
        while trace is not None:
            code = trace.tb_frame.f_code
            if code.co_filename in self.places:
                name = None if code.co_name == "<module>" else text(code.co_name, 80)
                found = self.places[code.co_filename], trace.tb_lineno, name
            trace = trace.tb_next
        return found


def _message(error: BaseException) -> str:
    try:
        message = str(error)
    except BaseException:  # noqa: BLE001 - a student's own __str__ may do anything
        return ""
    return text(message, MAX_MESSAGE)


def _number(value: object) -> int | None:
    return value if type(value) is int and 0 <= value < 1 << 31 else None


def is_memory(error: BaseException) -> bool:
    """Whether memory ran out. The class is asked, not the object: that may lie."""
    return issubclass(type(error), MemoryError)


def describe(error: BaseException, sources: Sources) -> dict[str, Any]:
    """Return the fields of a `StudentError` as plain data, whatever the exception's class does when it is looked at."""
    try:
        return _describe(error, sources)
    except BaseException:  # noqa: BLE001 - a student's own class may do anything
        return {"type": bare_name(type(error)), "message": ""}


def _describe(error: BaseException, sources: Sources) -> dict[str, Any]:
    told: dict[str, Any] = dict.fromkeys(("file", "cell", "line", "text", "function", "absent"))
    kinds = _real_mro(type(error))[1 if type(error) is AbsentError else 0 : MAX_BASES]
    told["type"], *told["bases"] = [bare_name(kind) for kind in kinds if kind is not object]
    told["message"] = _message(error)
    found = sources.innermost(_real_trace(error))
    if found is not None:
        place, line, function = found
        told |= {"file": place.file, "cell": place.cell, "line": line, "text": place.line(line), "function": function}
    if isinstance(error, SyntaxError) and type(error.filename) is str and error.filename in sources.places:
        place, line = sources.places[error.filename], _number(error.lineno)
        told |= {"file": place.file, "cell": place.cell, "line": line, "text": place.line(line), "function": None}
        told["message"] = text(error.msg, MAX_MESSAGE)
    if isinstance(error, EOFError) and told["message"].startswith("EOF when reading a line"):
        told["message"] = KEYBOARD
    if isinstance(error, ModuleNotFoundError) and type(error.name) is str:
        told["absent"] = text(getattr(error, "absent", None) or error.name.partition(".")[0], 200)
    return told
