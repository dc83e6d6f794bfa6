"""Reads what a child says into records. Student code may have sent any of it, so every field is checked.

A child can say of its own calls whatever it likes, and that costs nobody else anything. It must not be able to make
this process fail, nor to bring a path of this machine into a report.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from grader.calls import Ended, Load, Reply, StudentError
from grader.sandbox.limits import MAX_LIST, MAX_SECONDS, MAX_TEXT
from grader.sandbox.shared.wire import WireError

# A time-out, a crash and a skipped call are for the grader alone to tell.
_SAID = {str(ended): ended for ended in (Ended.RETURNED, Ended.RAISED, Ended.MEMORY, Ended.MISSING, Ended.LOST)}


def over_memory(memory: int) -> str:
    """Return the sentence which says that the memory limit was reached."""
    return f"needed more than the memory limit of {memory} MiB"


def tidy(text: str, paths: Mapping[str, str]) -> str:
    """Return a string in which paths of this machine are replaced by names that may be shown."""
    for path, shown in paths.items():
        text = text.replace(path, shown)
    return text


def _whole(value: Any) -> int | None:
    """Return a line or cell number; the exact type is asked for because `True` is an `int`, too."""
    if value is None or (type(value) is int and 0 <= value < 1 << 31):
        return value
    message = "a number is expected"
    raise WireError(message)


def _ended(told: Any) -> Ended:
    # The type is asked first: a list cannot be looked up in a dict, and would raise something else.
    if type(told) is not str or told not in _SAID:
        message = "an unknown outcome"
        raise WireError(message)
    return _SAID[told]


class ReplyReader(NamedTuple):
    """Makes records of messages; raises `WireError` for a message that is none."""

    memory: int  # the limit in MiB, for details
    paths: Mapping[str, str]  # what replaces paths of this machine

    def reply(self, told: Mapping[str, Any]) -> Reply:
        """Return the reply to one call."""
        ended, seconds, echo = _ended(told.get("ended")), told.get("seconds", 0.0), told.get("echo")
        # Written so that a NaN is refused: it is neither below nor above anything.
        if type(seconds) is not float or not 0 <= seconds < MAX_SECONDS or not (echo is None or type(echo) is tuple):
            message = "not an answer"
            raise WireError(message)
        return Reply(
            ended=ended,
            value=told.get("value"),
            error=self._error(told.get("error")),
            echo=echo,
            seconds=seconds,
            detail=self._detail(ended),
        )

    def load(self, module: str, cell: int | None, file: str, told: Mapping[str, Any]) -> Load:
        """Return how a file or a cell failed."""
        ended = _ended(told.get("ended"))
        return Load(module, file, cell, ended, self._error(told.get("error")), self._detail(ended))

    def texts(self, value: Any) -> tuple[str, ...]:
        """Return a list of short strings, such as notes and names."""
        if type(value) is not list:
            message = "texts are expected"
            raise WireError(message)
        return tuple(self._text(x) or "" for x in value[:MAX_LIST])

    def _detail(self, ended: Ended) -> str:
        return over_memory(self.memory) if ended is Ended.MEMORY else ""

    def _text(self, value: Any) -> str | None:
        if value is None:
            return None
        if type(value) is str:
            return tidy(value[:MAX_TEXT], self.paths)
        message = "a text is expected"
        raise WireError(message)

    def _error(self, told: Any) -> StudentError | None:
        if told is None:
            return None
        if type(told) is not dict:
            message = "an exception is expected"
            raise WireError(message)
        return StudentError(
            type=self._text(told.get("type")) or "Exception",
            message=self._text(told.get("message")) or "",
            file=self._text(told.get("file")),
            cell=_whole(told.get("cell")),
            line=_whole(told.get("line")),
            text=self._text(told.get("text")),
            function=self._text(told.get("function")),
            absent=self._text(told.get("absent")),
            bases=self.texts(told.get("bases", [])),
        )
