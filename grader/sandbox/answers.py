"""What a child says, as records. Each field is checked: student code may have sent it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from grader.calls import Ended, Load, Reply, StudentError
from grader.sandbox.limits import MAX_LIST, MAX_SECONDS, MAX_TEXT
from grader.sandbox.shared.wire import WireError

_SAID = {str(ended): ended for ended in (Ended.RETURNED, Ended.RAISED, Ended.MEMORY, Ended.MISSING, Ended.LOST)}


def over_memory(memory: int) -> str:
    """Say that the memory limit was reached."""
    return f"needed more than the memory limit of {memory} MiB"


def tidy(text: str, paths: Mapping[str, str]) -> str:
    """Replace paths of this machine by what may be shown."""
    for path, shown in paths.items():
        text = text.replace(path, shown)
    return text


def _whole(value: Any) -> int | None:
    if value is None or (type(value) is int and 0 <= value < 1 << 31):
        return value
    msg = "a number is expected"
    raise WireError(msg)


def _ended(told: Any) -> Ended:
    if type(told) is not str or told not in _SAID:
        msg = "an unknown outcome"
        raise WireError(msg)
    return _SAID[told]


class Reader(NamedTuple):
    """Makes records of messages.

    `memory` is the limit in MiB, for details; `paths` are replaced in texts.
    """

    memory: int
    paths: Mapping[str, str]

    def reply(self, message: Mapping[str, Any]) -> Reply:
        """Read the answer to one call."""
        ended, seconds, echo = _ended(message.get("ended")), message.get("seconds", 0.0), message.get("echo")
        if type(seconds) is not float or not 0 <= seconds < MAX_SECONDS or not (echo is None or type(echo) is tuple):
            msg = "not an answer"
            raise WireError(msg)
        return Reply(
            ended=ended,
            value=message.get("value"),
            error=self._error(message.get("error")),
            echo=echo,
            seconds=seconds,
            detail=self._detail(ended),
        )

    def load(self, place: tuple[str, int | None], file: str, told: Mapping[str, Any]) -> Load:
        """Read how a file or a cell failed."""
        ended = _ended(told.get("ended"))
        return Load(place[0], file, place[1], ended, self._error(told.get("error")), self._detail(ended))

    def texts(self, value: Any) -> tuple[str, ...]:
        """Read a list of short texts: notes, names."""
        if type(value) is not list:
            msg = "texts are expected"
            raise WireError(msg)
        return tuple(self._text(x) or "" for x in value[:MAX_LIST])

    def _detail(self, ended: Ended) -> str:
        return over_memory(self.memory) if ended is Ended.MEMORY else ""

    def _text(self, value: Any) -> str | None:
        if value is None:
            return None
        if type(value) is str:
            return tidy(value[:MAX_TEXT], self.paths)
        msg = "a text is expected"
        raise WireError(msg)

    def _error(self, told: Any) -> StudentError | None:
        if told is None:
            return None
        if type(told) is not dict:
            msg = "an exception is expected"
            raise WireError(msg)
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
