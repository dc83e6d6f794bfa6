"""From a tree to the work that is to be graded: whose it is, which files count with their hashes, what is skipped."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.errors import NothingToGradeError, UsageError
from grader.submissions import SubmittedFile, discover
from grader.submissions.discovery import look
from grader.submissions.layouts import LAYOUTS, Entry


@dataclass(frozen=True)
class Work:
    """One student's entry with the files that will be read. An empty hash: the file cannot be read."""

    entry: Entry
    files: tuple[SubmittedFile, ...]


@dataclass(frozen=True)
class Skipped:
    """A file that is not graded. `student` is empty where it belongs to nobody."""

    student: str
    file: str
    reason: str


@dataclass(frozen=True)
class Collection:
    """All work in a tree, in the order of the students, and every file that is left out."""

    works: tuple[Work, ...]
    skipped: tuple[Skipped, ...]


def collect(tree: Path, layout: str, leave_out: Sequence[Path]) -> Collection:
    """Sort the files of a tree by student.

    Raises `UsageError` where the tree cannot be read, `NothingToGradeError` where it holds nobody's work.
    """
    arrangement = LAYOUTS[layout](tree, leave_out)
    skipped = [Skipped("", name, reason) for name, reason in arrangement.skipped]
    if not arrangement.entries:
        shown = f" ({skipped[0].file}: {skipped[0].reason})" if skipped else ""
        message = f"{tree} holds no student's work{shown}. Give a folder with one folder or file per student."
        raise NothingToGradeError(message)
    works = []
    for entry in arrangement.entries:
        files, left = _survey(entry, leave_out)
        works.append(Work(entry, files))
        skipped += [Skipped(entry.student, name, reason) for name, reason in left]
    return Collection(tuple(works), tuple(skipped))


def _survey(entry: Entry, leave_out: Sequence[Path]) -> tuple[tuple[SubmittedFile, ...], Sequence[tuple[str, str]]]:
    try:
        found = discover(entry.paths, leave_out)
    except UsageError as error:
        return (), [(entry.label, str(error))]
    except NothingToGradeError:
        closed = frozenset(folder.resolve() for folder in leave_out)
        return (), [(name, reason) for path in entry.paths for _, name, reason in look(path, closed) if reason]
    return tuple(SubmittedFile(file.name, hash_file(file.path)) for file in found.files), found.skipped


def hash_file(path: Path) -> str:
    """Return the SHA-256 of a file's bytes; empty where it cannot be read."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return ""
