"""Finding the files of a submission, with a reason for each one that is left out.

Nothing is decided by a file's name but whether it is Python: work is found by the names of its functions. Files come
in a fixed order, names in composed form (NFC) with forward slashes, so that a report does not depend on the machine.
"""

import errno
import os
import stat
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from grader.errors import NothingToGradeError, UnreadableWorkError, UsageError
from grader.submissions.text import printable

MIB = 1024 * 1024
MAX_SCRIPT = MIB // 4  # nobody writes more by hand
MAX_NOTEBOOK = 256 * MIB  # outputs with pictures: 200 MB occur
MAX_ENTRIES = 20_000  # somebody's whole home folder
SHOWN = 3  # names in a sentence
NOISE_FOLDERS = {
    "__MACOSX": "left by macOS",
    "__pycache__": "compiled Python",
    "node_modules": "installed packages",
    "site-packages": "installed packages",
    ".ipynb_checkpoints": "checkpoints of a notebook editor",
}
NOT_PYTHON = "not Python"
UNREADABLE = "cannot be read"  # how a reason begins, which is never a student's word
BROKEN_LINK = "a link that leads nowhere"
CHECKPOINT = "a checkpoint of the notebook beside it"
LEFT_OUT = "not part of the answers"
# Left out of the notes: nobody needs to be told.
QUIET = frozenset({*NOISE_FOLDERS.values(), CHECKPOINT, LEFT_OUT, "hidden", "a virtual environment"})


class Found(NamedTuple):
    """A file to read: its place on disk, its name in the submission, and whether its name is a notebook's."""

    path: Path
    name: str
    notebook: bool


class Discovery(NamedTuple):
    """What lies in a submission: files to read, and (name, reason) of the others."""

    label: str
    files: tuple[Found, ...]
    skipped: tuple[tuple[str, str], ...]


def discover(paths: Sequence[Path], leave_out: Sequence[Path] = ()) -> Discovery:
    """Find the scripts and notebooks below some paths.

    Parameters
    ----------
    paths : sequence of Path
        Files and folders; together they are one submission.
    leave_out : sequence of Path
        Folders that are no part of it: the known mistakes beside the reference solutions.

    Returns
    -------
    Discovery
        Files in a fixed order, each once.

    Raises
    ------
    UsageError
        A path does not exist or cannot be read, or a folder holds more than `MAX_ENTRIES` entries.
    NothingToGradeError
        There is no script and no notebook; as `UnreadableWorkError` where something could not be read.
    """
    files: dict[Path, Found] = {}
    skipped: list[tuple[str, str]] = []
    closed = frozenset(folder.resolve() for folder in leave_out)
    for path in paths:
        for place, name, reason in look(path, closed):
            if reason:
                skipped.append((name, reason))
            else:
                files.setdefault(place.resolve(), Found(place, name, is_notebook_name(name)))
    label = ", ".join(_label(path) for path in paths)
    found = _without_checkpoints(_distinct(files.values()), skipped)
    if not found:
        unreadable = any(reason.startswith(UNREADABLE) for _, reason in skipped)
        raise (UnreadableWorkError if unreadable else NothingToGradeError)(_nothing(label, paths, skipped))
    return Discovery(label, found, tuple(skipped))


def is_notebook_name(name: str) -> bool:
    """Tell a notebook's name, also with the ending that a browser added (`attention.ipynb.txt`)."""
    return _suffix(name) == ".ipynb"


def _suffix(name: str) -> str:
    suffixes = PurePosixPath(name.casefold()).suffixes
    if len(suffixes) > 1 and suffixes[-1] in {".txt", ".json"} and suffixes[-2] in {".py", ".ipynb"}:
        return suffixes[-2]
    return suffixes[-1] if suffixes else ""


def look(path: Path, closed: frozenset[Path]) -> Iterator[tuple[Path, str, str]]:
    """Yield (place, name, reason to skip or empty) for a path that the caller named."""
    shown = _label(path)
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            yield from _walk(path, shown, closed)
            return
        size = path.stat().st_size
    except FileNotFoundError:
        message = f"{shown} does not exist; check the spelling, or give the folder that holds your files"
        raise UsageError(message) from None
    except (OSError, ValueError) as error:
        message = f"{shown} {_tell_unreadable(error)}"
        raise UsageError(message) from None
    yield path, _clean(path.name), _judge(path.name, mode, size)


def _walk(top: Path, shown: str, closed: frozenset[Path]) -> Iterator[tuple[Path, str, str]]:
    pending, entries, root = [top], 0, top.resolve()
    while pending:
        folder = pending.pop()
        try:
            with os.scandir(folder) as listing:
                inside = sorted(listing, key=lambda entry: unicodedata.normalize("NFC", entry.name))
        except OSError as error:
            if folder == top:
                message = f"{shown} {_tell_unreadable(error)}"
                raise UsageError(message) from None
            yield folder, _relative(folder, top) + "/", _tell_unreadable(error)
            continue
        entries += len(inside)
        if entries > MAX_ENTRIES:
            message = f"{shown} holds more than {MAX_ENTRIES} files; give the folder with the exercise files only"
            raise UsageError(message)
        below = []
        for entry in inside:
            place, name = Path(entry.path), _relative(Path(entry.path), top)
            try:
                if entry.is_dir(follow_symlinks=False):
                    if reason := _judge_folder(place, closed):
                        yield place, name + "/", reason
                    else:
                        below.append(place)
                    continue
                yield place, name, _judge_entry(entry, root)
            except (OSError, RuntimeError) as error:
                yield place, name, _tell_unreadable(error)
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


def _judge_entry(entry: "os.DirEntry[str]", root: Path) -> str:
    if entry.name.startswith("._"):
        return "left by macOS"
    if entry.name.startswith("."):
        return "hidden"
    if entry.is_symlink():
        target = follow(Path(entry.path))
        if target is None:
            return BROKEN_LINK
        if not target.is_relative_to(root):
            return "a link that leads out of the submission"
        if entry.is_dir():
            return "a link to a folder"
    status = entry.stat()
    return _judge(entry.name, status.st_mode, status.st_size)


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


def _judge(name: str, mode: int, size: int) -> str:
    if not stat.S_ISREG(mode):
        return "not a regular file"
    suffix = _suffix(name)
    if suffix not in {".py", ".ipynb"}:
        return NOT_PYTHON
    limit = MAX_NOTEBOOK if suffix == ".ipynb" else MAX_SCRIPT
    if size > limit:
        advice = "; clear its outputs and save it again" if suffix == ".ipynb" else ""
        return f"too large: {_tell_size(size)}, the limit is {_tell_size(limit)}{advice}"
    return ""


def _tell_size(size: int) -> str:
    return f"{size / 1024:.0f} KiB" if size < MIB else f"{size / MIB:.0f} MiB"


def _without_checkpoints(files: tuple[Found, ...], skipped: list[tuple[str, str]]) -> tuple[Found, ...]:
    names = {file.name for file in files}
    kept = []
    for file in files:
        if file.name.replace("-checkpoint.ipynb", ".ipynb") in names - {file.name}:
            skipped.append((file.name, CHECKPOINT))
        else:
            kept.append(file)
    return tuple(kept)


def _distinct(files: Iterable[Found]) -> tuple[Found, ...]:
    """Make the names unique: two files of one name from two paths get their folder's name in front, or a number."""
    found = tuple(files)
    names = [file.name for file in found]
    unique: dict[str, Found] = {}
    for file in found:
        folder = _clean(file.path.absolute().parent.name)
        plain = file.name if names.count(file.name) == 1 else f"{folder}/{file.name}"
        name, number = plain, 1
        while name in unique:
            number += 1
            name = f"{plain} [{number}]"
        unique[name] = file._replace(name=name)
    return tuple(unique.values())


def tell_skipped(skipped: Sequence[tuple[str, str]]) -> list[str]:
    """Give notes on what was skipped: one for each reason, nothing on noise and on texts in Markdown."""
    reasons: dict[str, list[str]] = {}
    for name, reason in skipped:
        if reason not in QUIET and not (reason == NOT_PYTHON and name.lower().endswith(".md")):
            reasons.setdefault(reason, []).append(name)
    verbs = {reason: "was" if len(names) == 1 else "were" for reason, names in reasons.items()}
    return [f"{enumerate_names(names)} {verbs[reason]} skipped: {reason}" for reason, names in reasons.items()]


def enumerate_names(names: Sequence[str]) -> str:
    """List the first few names, and say how many more there are."""
    if len(names) <= SHOWN:
        return ", ".join(names)
    return f"{', '.join(names[:SHOWN])} and {len(names) - SHOWN} more"


def _nothing(label: str, paths: Sequence[Path], skipped: Sequence[tuple[str, str]]) -> str:
    wanted = "a script (.py) or a notebook (.ipynb)"
    if not paths:
        return f"no path was given; give a folder, {wanted}"
    if not skipped:
        return f"{label} is empty; give a folder with {wanted}"
    reasons = tell_skipped(skipped) or [f"{enumerate_names([name for name, _ in skipped])}: {skipped[0][1]}"]
    return f"{label} holds nothing to grade ({'; '.join(reasons)}); give {wanted}"


def _label(path: Path) -> str:
    """Show a path without anything that tells the machine or its user."""
    if path.is_absolute() or ".." in path.parts:
        return _clean(path.name) or "the folder"
    return _clean(path.as_posix())


def _relative(place: Path, top: Path) -> str:
    return _clean(place.relative_to(top).as_posix())


def _clean(name: str) -> str:
    """Compose accents, and replace what cannot be written as UTF-8 or would break a line."""
    name = name.encode("utf-8", "replace").decode()
    return printable(unicodedata.normalize("NFC", name))


def _tell_unreadable(error: Exception) -> str:
    return f"{UNREADABLE} ({getattr(error, 'strerror', None) or type(error).__name__})"
