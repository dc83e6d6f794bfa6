"""Finding the files of a submission, with a reason for each one that is left out.

Nothing is decided by a file's name but whether it is Python: work is found by the names of its functions. Files come
in a fixed order, names in composed form (NFC) with forward slashes, so that a report does not depend on the machine.
"""

import errno
import os
import stat
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from math import ceil
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from grader.errors import NothingToGradeError, UnreadableWorkError, UsageError
from grader.submissions.labels import clean, label, make_distinct, relative
from grader.submissions.reasons import (
    BROKEN_LINK,
    CANNOT_BE_READ,
    CHECKPOINT,
    CODE,
    LEFT_OUT,
    NOISE_FOLDERS,
    NOT_PYTHON,
    TOO_LARGE,
    is_notebook_name,
    suffix_of,
    tell_nothing,
    tell_unreadable,
)

MEBIBYTE = 1024 * 1024
MAX_SCRIPT = 4 * MEBIBYTE  # weights written as numbers; nobody writes more by hand
MAX_NOTEBOOK = 256 * MEBIBYTE  # outputs with pictures: 200 MB occur
# Of all files, before any is opened: 60 sparse notebooks of 250 MiB take 244 KiB on a disk and minutes to read.
MAX_TOGETHER = 320 * MEBIBYTE
MAX_LISTED = 20_000  # somebody's whole home folder


class TooMuchError(UsageError, NothingToGradeError):
    """A folder holds more than anybody reads: a wrong path where a person gave it, no work to grade in a class."""


class Found(NamedTuple):
    """A file to read: its place on disk, its name in the submission, whether that is a notebook's, and its size."""

    path: Path
    name: str
    notebook: bool
    size: int = 0


class Candidate(NamedTuple):
    """Something that lies there: place, name, the reason to skip it (or empty), and how many bytes it has."""

    place: Path
    name: str
    reason: str
    size: int = 0


class Discovery(NamedTuple):
    """What lies in a submission: files to read, and (name, reason) of the others."""

    label: str
    files: tuple[Found, ...]
    skipped: tuple[tuple[str, str], ...]


def discover(
    paths: Sequence[Path], leave_out: Sequence[Path] = (), names: Mapping[Path, str] = MappingProxyType({})
) -> Discovery:
    """Find the scripts and notebooks below some paths.

    Parameters
    ----------
    paths : sequence of Path
        Files and folders; together they are one submission.
    leave_out : sequence of Path
        Folders that are no part of it: the known mistakes beside the reference solutions.
    names : mapping of Path to str
        The students' own names of paths that a platform renamed: `from third_key import softmax` goes by them.

    Returns
    -------
    Discovery
        Files in a fixed order, each once.

    Raises
    ------
    UsageError
        A path does not exist or cannot be read; as `TooMuchError` where a folder holds more than `MAX_LISTED` entries.
    NothingToGradeError
        There is no script and no notebook; as `UnreadableWorkError` where something could not be read.
    """
    files: dict[Path, Candidate] = {}
    skipped: list[tuple[str, str]] = []
    closed = frozenset(folder.resolve() for folder in leave_out)
    for path in paths:
        for entry in look(path, closed, names.get(path, "")):
            if entry.reason:
                skipped.append((entry.name, entry.reason))
            else:
                files.setdefault(entry.place.resolve(), entry)
    shown = ", ".join(label(path) for path in paths)
    found = _drop_largest(_without_checkpoints(_distinct(files.values()), skipped), skipped)
    # What is too large was work once; a report says of each function that its file was not read.
    if not found and not any(reason.startswith(TOO_LARGE) for _, reason in skipped):
        unreadable = any(reason.startswith(CANNOT_BE_READ) for _, reason in skipped)
        raise (UnreadableWorkError if unreadable else NothingToGradeError)(tell_nothing(shown, paths, skipped))
    return Discovery(shown, found, tuple(skipped))


def look(path: Path, closed: frozenset[Path], own: str = "") -> Iterator[Candidate]:
    """Yield what lies at or below a path that the caller named. A file may have an `own` name, the student's."""
    shown = label(path)
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            yield from _walk(path, shown, closed)
            return
    except FileNotFoundError:
        message = f"{shown} does not exist; check the spelling, or give the folder that holds your files"
        raise UsageError(message) from None
    except (OSError, ValueError) as error:
        message = f"{shown} {tell_unreadable(error)}"
        raise UsageError(message) from None
    yield _judge(path, own or clean(path.name), status)


def _walk(top: Path, shown: str, closed: frozenset[Path]) -> Iterator[Candidate]:
    pending, entries, root = [top], 0, top.resolve()
    while pending:
        folder = pending.pop()
        try:
            with os.scandir(folder) as listing:
                inside = list(islice(listing, MAX_LISTED + 1))
        except OSError as error:
            if folder == top:
                message = f"{shown} {tell_unreadable(error)}"
                raise UsageError(message) from None
            yield Candidate(folder, relative(folder, top) + "/", tell_unreadable(error))
            continue
        entries += len(inside)
        inside_folder = "" if folder == top else relative(folder, top) + "/"
        if entries > MAX_LISTED:
            message = f"{shown} holds more than {MAX_LISTED} files; give the folder with the exercise files only"
            raise TooMuchError(message)
        below = []
        for entry in sorted(inside, key=lambda entry: (unicodedata.normalize("NFC", entry.name), entry.name)):
            place, name = Path(entry.path), inside_folder + clean(entry.name)
            try:
                if entry.is_dir(follow_symlinks=False):
                    if reason := _judge_folder(place, closed):
                        yield Candidate(place, name + "/", reason)
                    else:
                        below.append(place)
                    continue
                yield _judge_entry(entry, name, root)
            except (OSError, RuntimeError) as error:
                yield Candidate(place, name, tell_unreadable(error))
        pending += reversed(below)


def _judge_folder(place: Path, closed: frozenset[Path]) -> str:
    name = place.name
    if name in NOISE_FOLDERS:
        return NOISE_FOLDERS[name]
    if name.startswith("."):
        return "hidden"
    if (closed and place.resolve() in closed) or _holds_known_mistakes(place):
        return LEFT_OUT
    return "a virtual environment" if (place / "pyvenv.cfg").is_file() else ""


def _holds_known_mistakes(place: Path) -> bool:
    """Whether a folder is the one beside model answers, of any checkout: its files answer everything, and wrongly."""
    return place.name == "mistakes" and place.resolve().parent.name == "solutions"


def _judge_entry(entry: "os.DirEntry[str]", name: str, root: Path) -> Candidate:
    place = Path(entry.path)
    if entry.name.startswith("._"):
        return Candidate(place, name, "left by macOS")
    if entry.name.startswith("."):
        return Candidate(place, name, "hidden")
    if entry.is_symlink():
        target = follow(place)
        if target is None:
            return Candidate(place, name, BROKEN_LINK)
        if not target.is_relative_to(root):
            return Candidate(place, name, "a link that leads out of the submission")
        if entry.is_dir():
            return Candidate(place, name, "a link to a folder")
    return _judge(place, name, entry.stat())


def follow(link: Path) -> Path | None:
    """Return where a link leads; None for nowhere, or in a circle. Raises `OSError` where the disk does not tell."""
    try:
        return link.resolve(strict=True)
    except (FileNotFoundError, NotADirectoryError, RuntimeError):
        return None
    except OSError as error:
        if error.errno == errno.ELOOP:
            return None
        raise


def _judge(place: Path, name: str, status: os.stat_result) -> Candidate:
    if not stat.S_ISREG(status.st_mode):
        return Candidate(place, name, "not a regular file")
    suffix = suffix_of(place.name)
    if suffix not in CODE:
        return Candidate(place, name, NOT_PYTHON)
    limit = MAX_NOTEBOOK if suffix == ".ipynb" else MAX_SCRIPT
    if status.st_size > limit:
        advice = "; clear its outputs and save it again" if suffix == ".ipynb" else ""
        reason = f"{TOO_LARGE}: {_tell_size(status.st_size)}, the limit is {_tell_size(limit)}{advice}"
        return Candidate(place, name, reason)
    return Candidate(place, name, "", status.st_size)


def _tell_size(size: int) -> str:
    # Rounded up: a size over the limit must not look like the limit.
    return f"{ceil(size / 1024)} KiB" if size < 10 * MEBIBYTE else f"{ceil(size / MEBIBYTE)} MiB"


def _distinct(entries: Iterable[Candidate]) -> list[Found]:
    kept = list(entries)
    names = make_distinct((entry.place, entry.name) for entry in kept)
    return [
        Found(entry.place, name, is_notebook_name(entry.place.name), entry.size)
        for entry, name in zip(kept, names, strict=True)
    ]


def _without_checkpoints(files: Sequence[Found], skipped: list[tuple[str, str]]) -> list[Found]:
    names = {file.name for file in files}
    kept = []
    for file in files:
        original = file.name.replace("-checkpoint.ipynb", ".ipynb")
        if original != file.name and original in names:
            skipped.append((file.name, CHECKPOINT))
        else:
            kept.append(file)
    return kept


def _drop_largest(files: Sequence[Found], skipped: list[tuple[str, str]]) -> tuple[Found, ...]:
    """Return the files that are not too much together: the smaller ones, because answers are small."""
    together = sum(file.size for file in files)
    if together <= MAX_TOGETHER:
        return tuple(files)
    kept, room = set(), MAX_TOGETHER
    for file in sorted(files, key=lambda file: file.size):
        room -= file.size
        if room < 0:
            break
        kept.add(file.name)
    limit = f"the files hold {_tell_size(together)} together, the limit is {_tell_size(MAX_TOGETHER)}"
    skipped += [(file.name, f"{TOO_LARGE}: {limit}") for file in files if file.name not in kept]
    return tuple(file for file in files if file.name in kept)
