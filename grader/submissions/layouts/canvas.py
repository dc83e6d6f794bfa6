"""Canvas, "Download Submissions": a flat folder, `doejane_LATE_100001_5000001_hw1.ipynb`; the user's id is the student.

Canvas writes the sortable name without blanks and marks, LATE where the work was late, the ids of user and attachment,
and the name of the upload. The archive holds the last attempt only. A group's work has the group's name and one
member's id.
"""

import re
from collections import Counter
from collections.abc import Collection
from typing import TYPE_CHECKING

from grader.submissions.layouts.downloads import DownloadPiece, Level
from grader.submissions.names import file_stem

if TYPE_CHECKING:
    from grader.submissions.layouts.entries import Late

_ANONYMOUS = re.compile(
    r"(?:(?P<late>LATE)_)?anon_(?P<student>[A-Za-z0-9]+)_(?:(?P<id>\d+)_(?P<file>.+)|(?:text|link)\.html)"
)
# The head is not greedy: names may hold underscores, and Canvas itself removes digits between underscores from names.
# It is no `\w`, which matches no combining accent.
_NAMED = re.compile(
    r"(?P<name>.*?)(?:_(?P<late>LATE|late))?_(?P<student>\d+)_(?:(?P<id>\d+)_(?P<file>.+)|(?:text|link)\.html)",
    re.DOTALL,
)
_AGAIN = re.compile(
    r"(?P<stem>.*?)-(?:(?P<number>[1-7])|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?P<suffix>(?:\.[A-Za-z0-9]+)*)",
    re.DOTALL,
)
_UNCOUNTED = 9  # Canvas gives up counting after the eighth upload of a name, and writes a random number
_OTHERS = "_assignsubmission_"  # Moodle's, whose files may be called anything


def read_canvas(level: Level, handed_out: Collection[str]) -> list[DownloadPiece]:
    """Return the pieces of a flat folder of Canvas."""
    pieces = []
    uploads: Counter[str] = Counter()
    people: dict[str, set[str]] = {}
    for name in level.names:
        match = _ANONYMOUS.fullmatch(name) or _NAMED.fullmatch(name)
        if match is None or _OTHERS in name or not (level.place / name).is_file():
            continue
        student = f"anon:{match['student']}" if match.re is _ANONYMOUS else match["student"]
        own, attempt, flags = _find_attempt(match["file"] or "", handed_out)
        late: Late = "yes" if match["late"] else "no"
        pieces.append(DownloadPiece(level.place / name, student, own, attempt=attempt, late=late, flags=flags))
        uploads[match["id"] or name] += 1
        people.setdefault(student, set()).add(match["name"] if match.re is _NAMED else "")
    # `lab_2026_02_doe.py` has numbers in the same places. Canvas gives no id to two uploads, nor to two people.
    if max(uploads.values(), default=0) > 1 or any(len(names) > 1 for names in people.values()):
        return []
    return pieces


def _find_attempt(file: str, handed_out: Collection[str]) -> tuple[str, int | None, tuple[str, ...]]:
    """Return a file's own name, which upload of that name it is, and what nobody can know about it."""
    match = _AGAIN.fullmatch(file)
    if match is None or file_stem(file) in handed_out:
        return file, 1, ()
    if match["stem"] not in handed_out:
        return file, None, (f"attempt-unknown: the number in {file} may be Canvas's or the student's",)
    own = match["stem"] + match["suffix"]
    if match["number"] is None:
        return own, _UNCOUNTED, ("attempt-unknown: the ninth or a later one, Canvas stops counting there",)
    return own, int(match["number"]) + 1, ()
