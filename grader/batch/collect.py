"""Sort a tree by student: whose work lies where, which files count, with their hashes, and which are skipped."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Literal

from grader.batch.wrong_tree import refuse_heap, refuse_one_persons, refuse_wrong_level
from grader.errors import NothingToGradeError, UsageError
from grader.exercises import EXERCISES
from grader.submissions import SubmittedFile, discover
from grader.submissions.discovery import look
from grader.submissions.layouts import LAYOUTS, Arrangement, Entry
from grader.submissions.layouts.described import describe
from grader.submissions.layouts.downloads import EARLIER
from grader.submissions.layouts.lateness import decide_late
from grader.submissions.layouts.recognition import AUTO, PLAIN, Recognised, recognise
from grader.submissions.opening import hash_plain_file
from grader.submissions.reasons import CODE, suffix_of

DEFAULT_LAYOUT = AUTO


@dataclass(frozen=True)
class HandIn:
    """The work that one student handed in, with the files that will be read. An unreadable one has an empty hash."""

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
    """All work in a tree, in the order of the students, and every file that is left out.

    `layout` is the row of `LAYOUTS` that was taken, and `doubt` a sentence where not every name fits it.
    """

    hand_ins: tuple[HandIn, ...]
    skipped: tuple[Skipped, ...]
    layout: str = PLAIN
    doubt: str = ""


@dataclass(frozen=True)
class DownloadOptions:
    """How the names in a tree are read.

    `layout` is a row of `LAYOUTS`, or "auto", which recognises it; `name_regex` describes another one. With `attempts`
    "best" every attempt is graded, else the latest. `due` decides what is late. `refused` holds (name, reason) of what
    stayed packed in the archive from which the tree comes: nobody knows whose it is, and it is a row all the same.
    """

    layout: str = DEFAULT_LAYOUT
    name_regex: str | None = None
    attempts: Literal["latest", "best"] = "latest"
    due: datetime | None = None
    refused: tuple[tuple[str, str], ...] = ()


def collect(
    tree: Path, options: DownloadOptions, leave_out: Sequence[Path], handed_out: Iterable[str] = EXERCISES
) -> Collection:
    """Sort the files of a tree by student.

    Parameters
    ----------
    tree : Path
        The folder with the work of a class.
    options : DownloadOptions
        How it is laid out, and which attempts are graded.
    leave_out : sequence of Path
        Folders that are no work.
    handed_out : iterable of str
        The stems of the files that students get.

    Raises
    ------
    UsageError
        The tree cannot be read, or is no class: see `wrong_tree`.
    NothingToGradeError
        It holds nobody's work.
    """
    handed_out = frozenset(handed_out)
    taken = _arrange(tree, options, leave_out, handed_out)
    arrangement = taken.arrangement
    if taken.layout == PLAIN:
        refuse_one_persons(tree, arrangement.entries, handed_out)
        refuse_heap(tree, arrangement.entries, handed_out)
    entries, skipped = _list_entries(arrangement, options)
    if not any(entry.paths for entry in entries):
        shown = f" ({skipped[0].file}: {skipped[0].reason})" if skipped else ""
        message = f"{tree} holds no student's work{shown}. Give a folder with one folder or file per student."
        raise NothingToGradeError(message)
    hand_ins = []
    for entry in entries:
        files, left = _find_files(entry, leave_out)
        hand_ins.append(HandIn(entry, files))
        skipped += [Skipped(entry.student, name, reason) for name, reason in left]
    if len(arrangement.entries) == 1 and taken.layout == PLAIN:
        places = hand_ins[0].entry.paths
        refuse_wrong_level(tree, places[0] if len(places) == 1 else tree, [file.name for file in hand_ins[0].files])
    return Collection(tuple(hand_ins), tuple(skipped), taken.layout, taken.doubt)


def _arrange(tree: Path, options: DownloadOptions, leave_out: Sequence[Path], handed_out: frozenset[str]) -> Recognised:
    if options.name_regex is not None:
        return Recognised("name-regex", describe(options.name_regex)(tree, leave_out, handed_out))
    if options.layout == AUTO:
        return recognise(LAYOUTS, tree, leave_out, handed_out)
    return Recognised(options.layout, LAYOUTS[options.layout](tree, leave_out, handed_out))


def _list_entries(arrangement: Arrangement, options: DownloadOptions) -> tuple[list[Entry], list[Skipped]]:
    """Return the entries that are graded, or have a row, and what is skipped."""
    entries = [*arrangement.entries, *(_keep_row(*part) for part in options.refused if _is_work(part[0]))]
    apart = [part for part in options.refused if not _is_work(part[0])]
    skipped = [Skipped("", *part) for part in (*arrangement.skipped, *apart)]
    if options.attempts == "best":
        entries += [_name_attempt(entry) for entry in arrangement.earlier]
    else:
        skipped += [Skipped(entry.student, entry.label, _tell_earlier(entry)) for entry in arrangement.earlier]
    skipped += [Skipped(entry.student, *part) for entry in entries for part in entry.unopened]
    if options.due is not None:
        entries = [decide_late(entry, options.due) for entry in entries]
    return entries, skipped


def _name_attempt(entry: Entry) -> Entry:
    return replace(entry, student=f"{entry.student} (attempt {entry.attempt})", attempt_of=entry.student)


def _tell_earlier(entry: Entry) -> str:
    time = f", {entry.time.isoformat(' ')}" if entry.time else ""
    return f"{EARLIER} (number {entry.attempt}{time}); a later one counts"


def _find_files(entry: Entry, leave_out: Sequence[Path]) -> tuple[tuple[SubmittedFile, ...], Sequence[tuple[str, str]]]:
    """Return the files of an entry that will be read, and (name, reason) of those that will not."""
    if not entry.paths:
        return (), ()
    try:
        found = discover(entry.paths, leave_out, dict(entry.names))
    except UsageError as error:
        return (), [(entry.label, str(error))]
    except NothingToGradeError:
        closed = frozenset(folder.resolve() for folder in leave_out)
        return (), [(name, reason) for path in entry.paths for _, name, reason, _ in look(path, closed) if reason]
    return tuple(SubmittedFile(file.name, hash_plain_file(file.path)) for file in found.files), found.skipped


def _is_work(name: str) -> bool:
    return suffix_of(name) in (*CODE, ".zip")


def _keep_row(name: str, reason: str) -> Entry:
    """Return the entry of work that nobody could unpack."""
    return Entry(f"unassigned {name}", (), name, unopened=((name, reason),))
