"""What a layout gives back: whose work lies where."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

Late = Literal["yes", "no", "unknown"]


@dataclass(frozen=True)
class Entry:
    """The work of one student: paths that together are one submission, and what their names tell about it.

    `student` is unique in an arrangement. `label` names the paths relative to the tree. `unopened` holds (name, reason)
    of what is theirs and stays closed; there may be nothing else. `flags` is for the instructor. `names` holds (path,
    name) of files that a platform renamed. `members` are the students whose common work this is; without any it is the
    work of `student` alone. `attempt_of` is the student of whom this is another attempt.
    """

    student: str
    paths: tuple[Path, ...]
    label: str
    attempt: int | None = None
    late: Late = "unknown"
    unopened: tuple[tuple[str, str], ...] = ()
    flags: tuple[str, ...] = ()
    names: tuple[tuple[Path, str], ...] = ()
    members: tuple[str, ...] = ()
    time: datetime | None = None
    attempt_of: str = ""


@dataclass(frozen=True)
class Arrangement:
    """The entries in the order of their students, and (name, reason) of what belongs to nobody.

    `earlier` holds attempts in whose place a later one counts, each under the student of that one.
    """

    entries: tuple[Entry, ...]
    skipped: tuple[tuple[str, str], ...]
    earlier: tuple[Entry, ...] = ()


Layout = Callable[[Path, Sequence[Path], Collection[str]], Arrangement]
