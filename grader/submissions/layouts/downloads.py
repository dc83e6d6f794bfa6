"""From the names that a learning platform gave to files and folders to one entry for each student.

A platform's layout is a reader: it looks at one level of a tree and says of each name that it knows whose it is. What
the platforms have in common is here: finding that level, files of one submission, attempts, what fits nowhere.
"""

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from grader.errors import UsageError
from grader.submissions.labels import clean
from grader.submissions.layouts.entries import Arrangement, Entry, Late
from grader.submissions.reasons import ARCHIVE, ARCHIVES, CODE, LEFT_OUT, NOISE_FOLDERS, NOT_PYTHON, suffix_of

UNASSIGNED = "unassigned: nothing here says whose work this is"
UNORDERED = "attempt-unknown: the student has several submissions, and nothing says which is the latest"
EARLIER = "an earlier attempt"
_NOISE = frozenset({"Thumbs.db", "desktop.ini"})
_DEEPEST = 3  # folders around the work: an archive's own, the platform's, the assignment's


@dataclass(frozen=True)
class DownloadPiece:
    """A file or folder of a submission. Without a student nobody knows whose it is.

    `own` is the student's own name of the file, where the platform renamed it. Pieces of one student with the same
    `unit` are one submission. `about` is what the platform wrote about it, and no work.
    """

    path: Path
    student: str
    own: str = ""
    unit: str = ""
    attempt: int | None = None
    late: Late = "unknown"
    time: datetime | None = None
    members: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    about: bool = False


@dataclass(frozen=True)
class Level:
    """A folder of a tree, and what lies directly in it; `left` holds (name, reason) of what is not looked at."""

    place: Path
    names: tuple[str, ...]
    left: tuple[tuple[str, str], ...] = ()

    def list_works(self) -> list[str]:
        """Return the names of folders and of files with code: each must be somebody's."""
        return [name for name in self.names if (self.place / name).is_dir() or suffix_of(name) in (*CODE, *ARCHIVES)]


Reader = Callable[[Level, Collection[str]], list[DownloadPiece]]


@dataclass(frozen=True)
class Download:
    """The layout of a platform's download. A call arranges a tree, as each layout does."""

    read: Reader

    def __call__(self, tree: Path, leave_out: Sequence[Path] = (), handed_out: Collection[str] = ()) -> Arrangement:
        """Sort a tree by student; a name that does not fit is somebody's, too, and says so."""
        level, pieces, _ = self._find(tree, leave_out, handed_out)
        known = {_top(piece, level) for piece in pieces}
        strange = [DownloadPiece(level.place / name, "") for name in level.list_works() if name not in known]
        entries, earlier = _make_entries([*pieces, *strange], tree)
        known |= {piece.path.name for piece in strange}
        skipped = [*level.left, *((clean(name), NOT_PYTHON) for name in level.names if name not in known)]
        taken = {path for entry in (*entries, *earlier) for path in entry.paths}
        about = [piece.path.name for piece in pieces if piece.about and piece.path not in taken]
        skipped += [(clean(name), "written by the platform") for name in about]
        return Arrangement(entries, tuple(skipped), earlier)

    def measure(self, tree: Path, leave_out: Sequence[Path], handed_out: Collection[str]) -> float:
        """Return which part of the works in a tree has names that fit, from 0 to 1."""
        return self._find(tree, leave_out, handed_out)[2]

    def _find(
        self, tree: Path, leave_out: Sequence[Path], handed_out: Collection[str]
    ) -> tuple[Level, list[DownloadPiece], float]:
        """Return the level at which most names fit, the pieces there, and the part that they are."""
        found = []
        for level in _list_levels(tree, leave_out):
            pieces = self.read(level, handed_out)
            tops = {_top(piece, level) for piece in pieces}
            fitting = len(tops) / len(tops.union(level.list_works())) if tops else 0.0
            found.append((level, pieces, fitting))
        return max(found, key=lambda one: one[2])


def _list_levels(tree: Path, leave_out: Sequence[Path]) -> list[Level]:
    """Return a tree, and the folder in it as long as that is all it holds. Raise `UsageError` if it cannot be read."""
    closed = {folder.resolve() for folder in leave_out}
    levels: list[Level] = []
    place = tree
    while len(levels) <= _DEEPEST:
        try:
            with os.scandir(place) as listing:
                inside = sorted((entry.name, _judge(entry, closed)) for entry in listing)
        except OSError as error:
            if levels:
                break
            message = f"{tree} cannot be read: {error.strerror}. Give a folder with one folder or file per student."
            raise UsageError(message) from error
        names = tuple(name for name, reason in inside if not reason)
        levels.append(Level(place, names, tuple((clean(name), reason) for name, reason in inside if reason)))
        works = levels[-1].list_works()
        if len(works) != 1 or not (place / works[0]).is_dir():
            break
        place /= works[0]
    return levels


def _judge(entry: "os.DirEntry[str]", closed: set[Path]) -> str:
    """Return why something is not looked at; nothing where it is."""
    if entry.name in NOISE_FOLDERS:
        return NOISE_FOLDERS[entry.name]
    if entry.name in _NOISE or entry.name.startswith("."):
        return "hidden"
    if entry.is_symlink():
        return "a link, which may lead to the work of others, and which no platform writes"
    return LEFT_OUT if closed and entry.is_dir() and Path(entry.path).resolve() in closed else ""


def _top(piece: DownloadPiece, level: Level) -> str:
    return piece.path.relative_to(level.place).parts[0]


def _make_entries(pieces: Iterable[DownloadPiece], tree: Path) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
    """Return the entry of each student, and the earlier attempts."""
    students: dict[str, dict[str, list[DownloadPiece]]] = {}
    for piece in pieces:
        student = piece.student or f"unassigned {clean(piece.path.relative_to(tree).as_posix())}"
        students.setdefault(clean(student), {}).setdefault(piece.unit, []).append(piece)
    alike = Counter(student.casefold() for student in students)
    entries: list[Entry] = []
    earlier: list[Entry] = []
    for student, units in students.items():
        flags = (
            ("another student's id differs from this one in capitals only",) if alike[student.casefold()] > 1 else ()
        )
        made = [_make_entry(student, unit, tree, flags) for unit in units.values()]
        if len(made) == 1:
            entries += made
        elif ranked := _rank(made):
            entries.append(ranked.pop())
            earlier += ranked
        else:
            entries += [_number(one, number) for number, one in enumerate(made, 1)]
    return tuple(sorted(entries, key=lambda entry: entry.student)), tuple(earlier)


def _rank(made: list[Entry]) -> list[Entry]:
    """Return the attempts of a student from the first to the latest; nothing where times and numbers do not tell."""
    times = [entry.time for entry in made if entry.time is not None]
    zoned = {time.tzinfo is not None for time in times}
    if len(set(times)) == len(made) and len(zoned) == 1:
        ranked = sorted(zip(times, made, strict=True), key=lambda pair: pair[0])
        return [replace(entry, attempt=number) for number, (_, entry) in enumerate(ranked, 1)]
    numbers = [entry.attempt for entry in made if entry.attempt is not None]
    if not times and len(set(numbers)) == len(made):
        return sorted(made, key=lambda entry: entry.attempt or 0)
    return []


def _number(entry: Entry, number: int) -> Entry:
    student = entry.student if number == 1 else f"{entry.student} [{number}]"
    return replace(entry, student=student, attempt=None, flags=(*entry.flags, UNORDERED))


def _make_entry(student: str, pieces: Sequence[DownloadPiece], tree: Path, flags: tuple[str, ...]) -> Entry:
    # A submission may be nothing but what the platform wrote about it.
    works = [piece for piece in pieces if not piece.about] or list(pieces)
    packed = [piece for piece in works if suffix_of(piece.path.name) in ARCHIVES and piece.path.is_file()]
    attempts = {piece.attempt for piece in works}
    lates = {piece.late for piece in works}
    time = next((piece.time for piece in works if piece.time is not None), None)
    own = {flag: None for piece in pieces for flag in piece.flags}
    if not pieces[0].student:
        own[UNASSIGNED] = None
    return Entry(
        student,
        tuple(piece.path for piece in works if piece not in packed),
        ", ".join(clean(piece.path.relative_to(tree).as_posix()) for piece in works),
        None if None in attempts else max(one for one in attempts if one is not None),
        lates.pop() if len(lates) == 1 else "unknown",
        unopened=tuple((clean(piece.own or piece.path.name), ARCHIVE) for piece in packed),
        flags=(*flags, *own),
        names=tuple((piece.path, clean(piece.own)) for piece in works if piece.own),
        members=pieces[0].members,
        time=time,
    )
