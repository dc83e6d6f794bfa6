"""Moodle, "Download all submissions": `Jane Doe_1001_assignsubmission_file/`; the participant's id is the student.

The id is also the worksheet's column Identifier. Names lose apostrophes, and older releases write an underscore at the
end. Whether the work is late, and which attempt it is, stands nowhere in it. A team's folder looks like a person's; the
team of all without a team has no id.
"""

import re
from collections.abc import Collection

from grader.submissions.layouts.downloads import DownloadPiece, Level

_FOLDER = re.compile(r"(?P<name>[^_]*)(?:_(?P<id>\d+))?_assignsubmission_[a-z0-9]+_?")
_FLAT = re.compile(r"(?P<name>[^_]*)(?:_(?P<id>\d+))?_assignsubmission_[a-z0-9]+_(?P<file>.+)", re.DOTALL)
_GROUP = re.compile(r"(?i:group|team|gruppe|groupe|grupo|gruppo|groep)\b")
_NO_ID = "no-id: the folder of a team of all without a team, or of nobody that Moodle knows"
_TEAM = "team: by its name the work of a group, whose members Moodle does not tell"


def read_moodle(level: Level, handed_out: Collection[str]) -> list[DownloadPiece]:  # noqa: ARG001 (as each reader)
    """Return the pieces of a download in folders, or of a flat one."""
    pieces = []
    for name in level.names:
        folder = (level.place / name).is_dir()
        if match := (_FOLDER if folder else _FLAT).fullmatch(name):
            student, flags = _find_student(match["name"], match["id"])
            pieces.append(DownloadPiece(level.place / name, student, "" if folder else match["file"], flags=flags))
    return pieces


def _find_student(name: str, number: str | None) -> tuple[str, tuple[str, ...]]:
    if number is None:
        word = "default" if name.casefold() == "default group" else name
        return f"group:{word}", (_NO_ID,)
    return (f"group:{number}", (_TEAM,)) if _GROUP.match(name) else (number, ())
