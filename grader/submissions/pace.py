"""How far reading may go: how much code, for how long, and whether here or in a process of its own.

Python's parser cannot be interrupted, and it is not linear. Measured with Python 3.11 on one line of 128 KiB,
`import a.a.a ...` takes 9 s and 4.6 GB, an f-string of `{a}{a}{a} ...` 1.7 s, a name of combining marks more than a
minute. So long code is parsed in a process whose time and memory are limited (see `apart`). Code as people write it is
short, and parsed here: 16 KiB of the same take 0.07 s and 75 MB, 0.05 s, and 1.2 s.
"""

import time
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from grader.submissions.parsing import MAX_CODE

READING_SECONDS = 15.0  # of computing, for one submission; 4 MiB of plain code take 4 to 7 s
MAX_SUBMISSION_CODE = 2 * MAX_CODE  # characters of all files
Place = tuple[int, int]  # number of a file, and of a piece in it; a piece of -1 stands for opening the file


class Here(NamedTuple):
    """What is read in the grader's own process."""

    files: int = 200
    size: int = 4 << 20  # bytes of all files: notebooks with a few pictures
    piece: int = 16 << 10  # characters of one cell or script
    code: int = 256 << 10  # characters of all of them
    seconds: float = 2.0


_HERE = Here()


class ElsewhereError(Exception):
    """The work is too much to be read in this process."""


class Pace:
    """Decides for each file and piece whether it is read.

    Parameters
    ----------
    refused : mapping of Place to str
        What was tried before and failed, with the reason.
    known, rest : collection of Place, str
        Where `known` is given, nothing else is read, and `rest` is the reason.
    begin : callable
        Is told each place, and how much is there, before it is read.
    """

    def __init__(
        self,
        refused: Mapping[Place, str] | None = None,
        known: Collection[Place] | None = None,
        rest: str = "",
        begin: Callable[[Place, int], None] | None = None,
    ) -> None:
        self._refused, self._known, self._rest = dict(refused or {}), known, rest
        self._begin = begin
        self._code = 0
        self._start = time.process_time()

    def refuse(self, place: Place, size: int) -> str:
        """Return why something is not read, or an empty string; it is then taken as begun."""
        if reason := self._refused.get(place) or self._find_reason(place, size):
            return reason
        self._code += size if place[1] >= 0 else 0
        if self._begin is not None:
            self._begin(place, size)
        return ""

    def _find_reason(self, place: Place, size: int) -> str:
        if self._known is not None:
            return "" if place in self._known else self._rest
        if place[1] >= 0 and self._code + size > MAX_SUBMISSION_CODE:
            return f"the files hold more than {MAX_SUBMISSION_CODE} characters of code"
        return tell_late() if self.spent() > READING_SECONDS else ""

    def spent(self) -> float:
        """Return the seconds that this process has computed for the submission."""
        return time.process_time() - self._start


class PaceHere(Pace):
    """Refuses nothing and gives up instead: as soon as the work is more than `Here` allows."""

    def __init__(self, files: int, size: int, limits: Here = _HERE) -> None:
        super().__init__()
        self._limits = limits
        if files > limits.files or size > limits.size:
            raise ElsewhereError

    def refuse(self, place: Place, size: int) -> str:
        """Raise `ElsewhereError` where it is too much."""
        limits = self._limits
        is_code = place[1] >= 0
        if (is_code and (size > limits.piece or self._code + size > limits.code)) or self.spent() > limits.seconds:
            raise ElsewhereError
        return super().refuse(place, size)


def tell_late() -> str:
    """Return the reason of what is not read because the time is over."""
    return f"reading the work took more than {READING_SECONDS:g} s"
