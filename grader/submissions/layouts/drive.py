"""Google Classroom's folder in Drive: `Jane Doe - Homework 1.ipynb`, in `drive-download-<time>-001/`. There are no ids.

Only "make a copy for each student" puts the person into the name, before the title that everybody's copy has. Colab's
`Copy of hw1.ipynb` and a second download's `hw1 (1).ipynb` say nothing about whose they are.
"""

import re
from collections import Counter
from collections.abc import Collection

from grader.submissions.layouts.downloads import DownloadPiece, Level
from grader.submissions.names import APPENDED, file_stem

_FOLDER = re.compile(r"drive-download-\d{8}T\d{6}Z.*")
_NAMED = re.compile(r"(?P<student>.+?) - (?P<title>.+)", re.DOTALL)
_ONLY_A_NAME = "no-id: Google Drive tells a name only, which two people may share"


def read_drive(level: Level, handed_out: Collection[str]) -> list[DownloadPiece]:  # noqa: ARG001 (as each reader)
    """Return the pieces of a download from Drive, if this is one by its name."""
    if not _FOLDER.fullmatch(level.place.resolve().name):
        return []
    works = level.list_works()
    split = {name: match for name in works if (match := _NAMED.fullmatch(APPENDED.sub("", file_stem(name))))}
    titles = Counter(match["title"] for match in split.values())
    pieces = []
    for name in works:
        match = split.get(name)
        # A title that one file alone has may as well be a part of the student's own name for it.
        student = match["student"] if match and titles[match["title"]] > 1 else ""
        pieces.append(DownloadPiece(level.place / name, student, flags=(_ONLY_A_NAME,) if student else ()))
    return pieces
