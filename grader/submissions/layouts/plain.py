"""The plain layout: a folder or a file for each student, `doe/` or `doe.ipynb`; the name is the student's."""

import os
from collections.abc import Sequence
from pathlib import Path, PurePath

from grader.errors import UsageError
from grader.submissions.discovery import LEFT_OUT, NOISE_FOLDERS, NOT_PYTHON
from grader.submissions.layouts.entries import Arrangement, Entry, plain_text

_CODE = (".py", ".ipynb")
_ADDED = (".txt", ".json")  # by a browser: `doe.ipynb.txt`
_ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".7z", ".rar")


def arrange_plain(tree: Path, leave_out: Sequence[Path] = ()) -> Arrangement:
    """Sort what lies directly in `tree` by student.

    Parameters
    ----------
    tree : Path
        A folder.
    leave_out : sequence of Path
        Folders in it that are no work.

    Returns
    -------
    Arrangement
        A folder `doe/` and files `doe.py`, `doe.ipynb` are together the work of "doe".

    Raises
    ------
    UsageError
        The folder cannot be read.
    """
    closed = {folder.resolve() for folder in leave_out}
    root = tree.resolve()
    paths: dict[str, list[Path]] = {}
    skipped: list[tuple[str, str]] = []
    try:
        with os.scandir(tree) as listing:
            inside = sorted(listing, key=lambda entry: (plain_text(entry.name), entry.name))
    except OSError as error:
        message = f"{tree} cannot be read: {error.strerror}. Give a folder with one folder or file per student."
        raise UsageError(message) from error
    for entry in inside:
        student, reason = _judge(entry, root, closed)
        if reason:
            skipped.append((plain_text(entry.name), reason))
        else:
            paths.setdefault(student, []).append(Path(entry.path))
    entries = [
        Entry(student, tuple(parts), ", ".join(plain_text(part.name) for part in parts))
        for student, parts in sorted(paths.items())
    ]
    return Arrangement(tuple(entries), tuple(skipped))


def _judge(entry: "os.DirEntry[str]", root: Path, closed: set[Path]) -> tuple[str, str]:
    """Return whose work a path is, or why it is nobody's."""
    name = entry.name
    if name in NOISE_FOLDERS:
        return "", NOISE_FOLDERS[name]
    if name.startswith("."):
        return "", "left by macOS" if name.startswith("._") else "hidden"
    place = Path(entry.path)
    try:
        target = place.resolve(strict=True)
        if entry.is_symlink() and not (target.is_relative_to(root) and target.is_file()):
            return "", "a link to a folder, or to something outside"
        if entry.is_dir():
            return plain_text(name), _judge_folder(target, closed)
    except (OSError, RuntimeError) as error:
        return "", f"cannot be read ({getattr(error, 'strerror', None) or type(error).__name__})"
    return _judge_file(name)


def _judge_folder(target: Path, closed: set[Path]) -> str:
    if target in closed:
        return LEFT_OUT
    return "a virtual environment" if (target / "pyvenv.cfg").is_file() else ""


def _judge_file(name: str) -> tuple[str, str]:
    path = PurePath(name)
    if path.suffix.lower() in _ADDED and path.with_suffix("").suffix.lower() in _CODE:
        path = path.with_suffix("")
    if path.suffix.lower() in _CODE:
        return plain_text(path.stem), ""
    return "", "an archive, which is not opened; unpack it first" if path.suffix.lower() in _ARCHIVES else NOT_PYTHON
