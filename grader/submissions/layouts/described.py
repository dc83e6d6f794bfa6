"""A layout that the instructor describes: a regular expression over the path of each file in the tree."""

import os
import re
from collections.abc import Collection
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from grader.errors import UsageError
from grader.submissions.labels import clean
from grader.submissions.layouts.downloads import Download, DownloadPiece, Level
from grader.submissions.reasons import NOISE_FOLDERS, is_code

# Those of nbgrader's collector have another spelling.
_SPELLINGS = {"student_id": "student", "file_id": "file", "timestamp": "time"}
_GROUPS = frozenset({"student", "file", "attempt", "time", *_SPELLINGS})
_UNREAD = "attempt-unknown: the time in the name cannot be read"


def describe(expression: str) -> Download:
    """Return the layout in which an expression matches the whole path of each file, with forward slashes.

    Its groups are `student`, and where the names tell it `file`, `attempt` and `time`. Raise `UsageError` where it is
    no expression, or has no student.
    """
    try:
        pattern = re.compile(expression)
    except re.error as error:
        message = f"--name-regex {expression} is no regular expression: {error}."
        raise UsageError(message) from error
    unknown = pattern.groupindex.keys() - _GROUPS
    if not pattern.groupindex.keys() & {"student", "student_id"} or unknown:
        wrong = f"has a group {min(unknown)}" if unknown else "has no group (?P<student>...)"
        message = f"--name-regex {expression} {wrong}. Its groups may be student, file, attempt and time."
        raise UsageError(message)

    def read(level: Level, handed_out: Collection[str]) -> list[DownloadPiece]:  # noqa: ARG001 (as each reader)
        pieces = []
        for place, name in _list_files(level):
            match = pattern.fullmatch(name)
            if match is not None:
                pieces.append(_make_piece(place, match))
            elif is_code(name):
                pieces.append(DownloadPiece(place, ""))
        return pieces

    return Download(read)


def _list_files(level: Level) -> list[tuple[Path, str]]:
    found = []
    for top in level.names:
        if (level.place / top).is_file():
            found.append((level.place / top, clean(top)))
        for folder, folders, files in os.walk(level.place / top):
            folders[:] = sorted(name for name in folders if name not in NOISE_FOLDERS and not name.startswith("."))
            places = [Path(folder) / name for name in sorted(files) if not name.startswith(".")]
            found += [(one, clean(one.relative_to(level.place).as_posix())) for one in places if not one.is_symlink()]
    return found


def _make_piece(place: Path, match: re.Match[str]) -> DownloadPiece:
    told = {_SPELLINGS.get(name, name): value or "" for name, value in match.groupdict().items()}
    time, attempt = None, told.get("attempt", "")
    with suppress(ValueError):
        time = datetime.fromisoformat(told.get("time", ""))
    flags = (_UNREAD,) if told.get("time") and time is None else ()
    return DownloadPiece(
        place,
        told["student"],
        told.get("file") or place.name,
        f"{told.get('time', '')} {attempt}",
        int(attempt) if attempt.isdecimal() else None,
        time=time,
        flags=flags,
    )
