"""Gradescope: an export, `submission_<number>/` beside `submission_metadata.yml`, or one work as an autograder gets it.

The student is the e-mail address, else the student id ("sid:333"). Several submitters are a group. Ruby writes the YAML
file in one form only, of which three keys are read here, by their indentation: a package for YAML would read megabytes
of results for them. A value in another form (an anchor, a tag) counts as not known.
"""

import json
import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.files import read_regular
from grader.submissions.layouts.downloads import DownloadPiece, Level

if TYPE_CHECKING:
    from grader.submissions.layouts.entries import Late

_FOLDER = re.compile(r"submission_\d+")
_EXPORT, _SINGLE = "submission_metadata.yml", "submission_metadata.json"
_MOST = 256 << 20  # bytes; results of a whole class are in the file
# Ruby indents keys of a submission by two blanks, and list items like their key. What is nested stands further in, so
# no line of a student's output can look like one of these.
_SUBMISSION = re.compile(r"(?P<folder>submission_\d+):\s*")
_KEY = re.compile(r"  :(?P<key>\w+):(?: (?P<value>.*))?")
_ITEM = re.compile(r"  (?P<first>- |  ):(?P<key>\w+):(?: (?P<value>.*))?")
_OTHER_FORM = "unreadable: Gradescope's file has a submitter in a form that is not read here"


@dataclass
class _Told:
    """What the file tells about one submission."""

    submitters: list[dict[str, str]] = field(default_factory=list)
    earlier: int = 0
    time: datetime | None = None


def read_gradescope(level: Level, handed_out: Collection[str]) -> list[DownloadPiece]:  # noqa: ARG001 (as each reader)
    """Return the folders of an export, or the one submission of an autograder's folder."""
    if _SINGLE in level.names and "submission" in level.names:
        return _read_single(level)
    if _EXPORT not in level.names:
        return []
    told = _read_export(level.place / _EXPORT)
    pieces = []
    for name in level.names:
        if _FOLDER.fullmatch(name) and (level.place / name).is_dir():
            one = told.get(name, _Told())
            members, flags = _name_members(one.submitters)
            attempt = one.earlier + 1 if name in told else None
            student = ", ".join(members)
            group = members if len(members) > 1 else ()
            pieces.append(
                DownloadPiece(level.place / name, student, "", name, attempt, time=one.time, members=group, flags=flags)
            )
    return pieces


def _name_members(submitters: list[dict[str, str]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    named = [one["email"] if one.get("email") else f"sid:{one['sid']}" if one.get("sid") else "" for one in submitters]
    known = tuple(dict.fromkeys(name for name in named if name))
    return known, (_OTHER_FORM,) if "" in named else ()


def _read_export(path: Path) -> dict[str, _Told]:
    told: dict[str, _Told] = {}
    current, key = _Told(), ""
    for line in _read_lines(path):
        if match := _SUBMISSION.fullmatch(line):
            current, key = told.setdefault(match["folder"], _Told()), ""
        elif match := _KEY.fullmatch(line):
            key = match["key"]
            if key == "created_at":
                current.time = _read_time(match["value"] or "")
        elif match := _ITEM.fullmatch(line):
            first = match["first"] == "- "
            if key == "submitters":
                if first:
                    current.submitters.append({})
                if current.submitters:
                    current.submitters[-1][match["key"]] = _read_scalar(match["value"] or "")
            elif key == "history":
                current.earlier += first
    return told


def _read_lines(path: Path) -> Iterator[str]:
    with suppress(OSError):
        yield from read_regular(path, _MOST).decode("utf-8", "replace").split("\n")


def _read_scalar(value: str) -> str:
    """Return a string, quoted or not; empty where it is in another form, or is nothing."""
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] == "'":
        return value[1:-1].replace("''", "'")
    if value.startswith('"'):
        with suppress(ValueError):
            found = json.loads(value)
            return found if isinstance(found, str) else ""
        return ""
    return "" if value[:1] in {"&", "*", "!", "|", ">", "{", "[", "~"} or value == "null" else value


def _read_time(value: str) -> datetime | None:
    with suppress(ValueError):
        day, hour, zone = _read_scalar(value).split()
        moment = datetime.fromisoformat(f"{day} {hour[:15]}{'+00:00' if zone == 'Z' else zone}")
        return moment if moment.tzinfo else None
    return None


def _read_single(level: Level) -> list[DownloadPiece]:
    """Return the submission in the folder of an autograder, which knows the due date, too."""
    place = level.place / "submission"
    try:
        about: dict[str, Any] = json.loads(read_regular(level.place / _SINGLE))
        users, earlier = about["users"], about["previous_submissions"]
        submitters = [{"email": str(user.get("email") or ""), "sid": str(user.get("sid") or "")} for user in users]
        time = datetime.fromisoformat(about["created_at"])
        due = about["assignment"]["due_date"]
        late: Late = "unknown" if not due else "yes" if time > datetime.fromisoformat(due) else "no"
        attempt = len(earlier) + 1
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return [DownloadPiece(place, "")]
    members, flags = _name_members(submitters)
    group = members if len(members) > 1 else ()
    return [DownloadPiece(place, ", ".join(members), "", "", attempt, late, time, group, flags)]
