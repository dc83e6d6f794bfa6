"""Clones of GitHub Classroom and Classroom 50: `hw1-submissions/hw1-octo-cat/`; the login is the student.

Logins hold hyphens, and so do assignments: only the folder's own name tells where one ends. GitHub Classroom calls the
folder `<assignment>-submissions`; repositories of Classroom 50 begin with `<classroom>-<assignment>`, and a folder with
this name has nothing else in it. Late and attempt are known to git only, whose dates a student may set.
"""

from collections.abc import Collection

from grader.submissions.layouts.downloads import DownloadPiece, Level

_SUFFIX = "-submissions"


def read_github(level: Level, handed_out: Collection[str]) -> list[DownloadPiece]:  # noqa: ARG001 (as each reader)
    """Return the clones that `gh classroom clone student-repos` makes."""
    name = level.place.resolve().name
    return _read_clones(level, name.removesuffix(_SUFFIX)) if name.endswith(_SUFFIX) else []


def read_classroom50(level: Level, handed_out: Collection[str]) -> list[DownloadPiece]:  # noqa: ARG001 (as each reader)
    """Return the clones of Classroom 50 in a folder that has their beginning as its name."""
    name = level.place.resolve().name
    return _read_clones(level, name) if "-" in name and not name.endswith(_SUFFIX) else []


def _read_clones(level: Level, beginning: str) -> list[DownloadPiece]:
    # Repositories of Classroom 50 are in lower case, whatever the course is called.
    start = f"{beginning}-".casefold()
    return [
        DownloadPiece(level.place / name, name[len(start) :])
        for name in level.names
        if name.casefold().startswith(start) and len(name) > len(start) and (level.place / name).is_dir()
    ]
