"""nbgrader, `submitted/<student>/<assignment>/` with a `timestamp.txt`; the folder's name is the student."""

from collections.abc import Collection
from datetime import datetime, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo

from grader.files import read_regular
from grader.submissions.layouts.downloads import DownloadPiece, Level
from grader.submissions.reasons import CODE

_STAMP = "timestamp.txt"
_LONGEST = 200  # characters of a time; a student may put anything there


def read_nbgrader(level: Level, handed_out: Collection[str]) -> list[DownloadPiece]:  # noqa: ARG001 (as each reader)
    """Return the folders of an nbgrader tree: one that is called so, or one in which nbgrader left a time."""
    folders = {name: _list_assignments(level.place / name) for name in level.names if (level.place / name).is_dir()}
    stamped = any((one / _STAMP).is_file() for found in folders.values() for one in found)
    # Without a time it is one by its name, where everybody has a folder for the same assignment.
    common = set.intersection(*({one.name for one in found} for found in folders.values())) if folders else set()
    if not stamped and not (level.place.name == "submitted" and common):
        return []
    names = sorted({one.name for found in folders.values() for one in found})
    flags = (f"several assignments are here: {', '.join(names)}",) if len(names) > 1 else ()
    return [
        DownloadPiece(one, student, time=_read_time(one / _STAMP), flags=flags)
        for student, found in folders.items()
        for one in found or [level.place / student]
    ]


def _list_assignments(folder: Path) -> list[Path]:
    try:
        inside = sorted(folder.iterdir())
    except OSError:
        return []
    if any(one.suffix in CODE for one in inside):
        return []  # a student's folder has folders of assignments, and no work beside them
    return [one for one in inside if one.is_dir() and not one.is_symlink() and not one.name.startswith(".")]


def _read_time(path: Path) -> datetime | None:
    """Return a time of day, hour, and a zone as a name or an offset. None where the file says anything else."""
    try:
        words = read_regular(path, _LONGEST).decode().split()
        moment = datetime.fromisoformat(" ".join(words[:2]))
        if len(words) == 2:  # noqa: PLR2004 (a day and an hour)
            return moment
        return moment.replace(tzinfo=_read_zone(words[2]))
    except (OSError, ValueError, KeyError):  # a zone that nobody knows is a `KeyError`
        return None


def _read_zone(word: str) -> tzinfo | None:
    if word[0] in "+-":
        return datetime.strptime(word, "%z").tzinfo
    return ZoneInfo(word)
