"""What a layout gives back: whose work lies where."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True)
class Entry:
    """The work of one student: paths that together are one submission, and what their names tell about it.

    `student` is unique in an arrangement. `label` names the paths relative to the tree. `unopened` holds (name, reason)
    of what is theirs and stays closed; there may be nothing else. `flags` is for the instructor.
    """

    student: str
    paths: tuple[Path, ...]
    label: str
    attempt: int | None = None
    late: Literal["yes", "no", "unknown"] = "unknown"
    unopened: tuple[tuple[str, str], ...] = ()
    flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Arrangement:
    """The entries in the order of their students, and (name, reason) of what belongs to nobody."""

    entries: tuple[Entry, ...]
    skipped: tuple[tuple[str, str], ...]
