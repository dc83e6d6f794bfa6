"""What a child says, as records. Each field is checked: student code may have sent it."""

from collections.abc import Mapping
from typing import Any

from grader.sandbox.calls import Ended, Load, Reply, StudentError
from grader.sandbox.wire import WireError

_SAID = {"returned", "raised", "memory", "missing", "lost"}
MAX_TEXT = 600
MAX_LIST = 20
MAX_SECONDS = 1e6


def _text(value: Any) -> str | None:
    if value is None or type(value) is str:
        return value[:MAX_TEXT] if value is not None else None
    msg = "a text is expected"
    raise WireError(msg)


def _whole(value: Any) -> int | None:
    if value is None or (type(value) is int and 0 <= value < 1 << 31):
        return value
    msg = "a number is expected"
    raise WireError(msg)


def _texts(value: Any) -> tuple[str, ...]:
    if type(value) is not list:
        msg = "texts are expected"
        raise WireError(msg)
    return tuple(_text(x) or "" for x in value[:MAX_LIST])


def student_error(told: Any) -> StudentError | None:
    """Read the fields of an exception."""
    if told is None:
        return None
    if type(told) is not dict:
        msg = "an exception is expected"
        raise WireError(msg)
    return StudentError(
        type=_text(told.get("type")) or "Exception",
        message=_text(told.get("message")) or "",
        file=_text(told.get("file")),
        cell=_whole(told.get("cell")),
        line=_whole(told.get("line")),
        text=_text(told.get("text")),
        function=_text(told.get("function")),
        absent=_text(told.get("absent")),
        bases=_texts(told.get("bases", [])),
    )


def _ended(told: Any) -> Ended:
    if type(told) is not str or told not in _SAID:
        msg = "an unknown outcome"
        raise WireError(msg)
    return Ended(told)


def reply(message: Mapping[str, Any], memory: int) -> Reply:
    """Read the answer to one call; `memory` is the limit in MiB, for the detail."""
    ended, seconds, echo = _ended(message.get("ended")), message.get("seconds", 0.0), message.get("echo")
    if type(seconds) is not float or not 0 <= seconds < MAX_SECONDS or not (echo is None or type(echo) is tuple):
        msg = "not an answer"
        raise WireError(msg)
    return Reply(
        ended=ended,
        value=message.get("value"),
        error=student_error(message.get("error")),
        echo=echo,
        seconds=seconds,
        warnings=_texts(message.get("warnings", [])),
        detail=over_memory(memory) if ended is Ended.MEMORY else "",
    )


def over_memory(memory: int) -> str:
    """Say that the memory limit was reached."""
    return f"needed more than the memory limit of {memory} MiB"


def load(place: tuple[str, int | None], file: str, told: Mapping[str, Any], memory: int) -> Load:
    """Read how a file or a cell failed."""
    ended = _ended(told.get("ended"))
    detail = over_memory(memory) if ended is Ended.MEMORY else ""
    return Load(place[0], file, place[1], ended, student_error(told.get("error")), detail)


def notes(message: Mapping[str, Any]) -> tuple[str, ...]:
    """Read the notes that running the program left."""
    return _texts(message.get("loaded"))
