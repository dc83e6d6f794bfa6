"""The plain layout: a folder or a file for each student, `doe/` or `doe.ipynb`; the name is the student's."""

import os
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from grader.errors import UsageError
from grader.submissions.discovery import follow
from grader.submissions.labels import clean
from grader.submissions.layouts.entries import Arrangement, Entry
from grader.submissions.reasons import (
    ARCHIVE,
    ARCHIVES,
    BROKEN_LINK,
    CANNOT_BE_READ,
    CODE,
    LEFT_OUT,
    NOISE_FOLDERS,
    NOT_PYTHON,
)

_ADDED = (".txt", ".json")  # by a browser: `doe.ipynb.txt`
_LED_ASTRAY = "a link to a folder, or to something outside; put the work itself in its place"
_ALIKE_NAMES = "another name here differs from this one in capitals or in the spelling of accents only"


@dataclass(frozen=True)
class _Part:
    """Something in the tree: `stem` is whose it is ("": nobody's), `reason` why it stays closed ("": it is opened)."""

    path: Path
    kind: str
    stem: str = ""
    reason: str = ""


@dataclass
class _Pile:
    """Parts of one submission, at most one of each kind."""

    opened: dict[str, Path] = field(default_factory=dict)
    unopened: list[tuple[str, str]] = field(default_factory=list)


def arrange_plain(
    tree: Path,
    leave_out: Sequence[Path] = (),
    handed_out: Collection[str] = (),  # noqa: ARG001 (as each layout)
) -> Arrangement:
    """Sort what lies directly in `tree` by student.

    Parameters
    ----------
    tree : Path
        A folder.
    leave_out : sequence of Path
        Folders in it that are no work.
    handed_out : collection of str
        The stems of the files that students get; they decide nothing here.

    Returns
    -------
    Arrangement
        A folder `doe/` and files `doe.py`, `doe.ipynb` are together the work of "doe". Two folders, or two files of a
        kind, never are: where a system tells their names apart and a person does not, the second one is "doe [2]".

    Raises
    ------
    UsageError
        The folder cannot be read.
    """
    closed = {folder.resolve() for folder in leave_out}
    root = tree.resolve()
    try:
        with os.scandir(tree) as listing:
            inside = sorted(listing, key=lambda entry: (clean(entry.name), entry.name))
    except OSError as error:
        message = f"{tree} cannot be read: {error.strerror}. Give a folder with one folder or file per student."
        raise UsageError(message) from error
    parts = [_sort_in(entry, root, closed) for entry in inside]
    skipped = [(clean(part.path.name), part.reason) for part in parts if not part.stem]
    entries = _name_entries(_pile_up(part for part in parts if part.stem))
    return Arrangement(tuple(sorted(entries, key=lambda entry: entry.student)), tuple(skipped))


def _pile_up(parts: Iterable[_Part]) -> dict[str, list[_Pile]]:
    """Return the submissions of each student's name: one, unless it has two parts of a kind."""
    # What is spelled with the very same bytes belongs together before anything else does.
    exact: dict[str, list[_Pile]] = {}
    for part in parts:
        piles = exact.setdefault(part.stem, [])
        if part.reason:
            piles[:] = piles or [_Pile()]
            piles[0].unopened.append((clean(part.path.name), part.reason))
            continue
        pile = next((pile for pile in piles if part.kind not in pile.opened), None)
        if pile is None:
            piles.append(pile := _Pile())
        pile.opened[part.kind] = part.path
    named: dict[str, list[_Pile]] = {}
    for stem, piles in exact.items():
        known = named.setdefault(clean(stem), [])
        for pile in piles:
            fitting = next((one for one in known if not one.opened.keys() & pile.opened.keys()), None)
            if fitting is None:
                known.append(pile)
                continue
            fitting.opened |= pile.opened
            fitting.unopened += pile.unopened
    return named


def _name_entries(named: dict[str, list[_Pile]]) -> list[Entry]:
    alike = Counter(student.casefold() for student, piles in named.items() for _ in piles)
    taken, entries = set(named), []
    for student, piles in named.items():
        for pile in piles:
            name, number = student, 1
            while pile is not piles[0] and name in taken:
                number += 1
                name = f"{student} [{number}]"
            taken.add(name)
            shown = sorted([*map(clean, (path.name for path in pile.opened.values())), *dict(pile.unopened)])
            flags = (_ALIKE_NAMES,) if alike[student.casefold()] > 1 else ()
            paths = tuple(sorted(pile.opened.values()))
            entries.append(Entry(name, paths, ", ".join(shown), unopened=tuple(pile.unopened), flags=flags))
    return entries


def _sort_in(entry: "os.DirEntry[str]", root: Path, closed: set[Path]) -> _Part:
    """Return whose work a path is, or why it is nobody's, or why it is not opened."""
    name, place = entry.name, Path(entry.path)
    if reason := _judge_name(name):
        return _Part(place, "", reason=reason)
    stem, kind = _split(name)
    folder, reason = False, ""
    try:
        target = follow(place)
        if target is not None and (folder := target.is_dir()) and (reason := _judge_target(target, closed)):
            return _Part(place, "", reason=reason)
    except OSError as error:
        return _Part(place, kind, stem or name, f"{CANNOT_BE_READ} ({error.strerror or type(error).__name__})")
    if folder:
        stem, kind = name, "folder"
    if target is None:
        reason = BROKEN_LINK
    elif entry.is_symlink() and (folder or not target.is_relative_to(root)):
        reason = _LED_ASTRAY
    elif kind in ARCHIVES:
        reason = ARCHIVE
    elif not stem:
        reason = NOT_PYTHON
    return _Part(place, kind, stem, reason)


def _judge_name(name: str) -> str:
    if name in NOISE_FOLDERS:
        return NOISE_FOLDERS[name]
    if name.startswith("."):
        return "left by macOS" if name.startswith("._") else "hidden"
    return ""


def _judge_target(target: Path, closed: set[Path]) -> str:
    if target in closed:
        return LEFT_OUT
    try:
        if (target / "pyvenv.cfg").is_file():
            return "a virtual environment"
        earlier = (target / "reports").is_dir() and ((target / "hidden_seed").exists() or _is_gradebook(target))
    except PermissionError:
        return ""  # a closed folder is somebody's; who reads it will tell
    return "the results of an earlier batch" if earlier else ""


def _is_gradebook(target: Path) -> bool:
    return (target / "gradebook.csv").is_file() and (target / "students").is_dir()


def _split(name: str) -> tuple[str, str]:
    """Return whose a file's name says it is ("" where it is neither code nor an archive), and its kind."""
    path = PurePath(name)
    if path.suffix.lower() in _ADDED and path.with_suffix("").suffix.lower() in CODE:
        path = path.with_suffix("")
    kind = path.suffix.lower()
    if kind in ARCHIVES and path.with_suffix("").suffix.lower() == ".tar":
        return path.with_suffix("").stem, kind
    return (path.stem, kind) if kind in (*CODE, *ARCHIVES) else ("", kind)
