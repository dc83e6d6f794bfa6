"""Blackboard, "Assignment File Download": flat, `Lab 1_doe_attempt_2026-02-01-22-00-00_hw1.ipynb`, with a .txt each.

Assignments and users may hold underscores, and stored names are mangled: the .txt of an attempt says who it is and what
its files were called. The word "attempt" is in the site's language; the time has no zone.
"""

import re
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime

from grader.files import read_regular
from grader.submissions.layouts.downloads import DownloadPiece, Level

_NAME = re.compile(
    r"(?P<head>.+?)_(?P<word>attempt|poging)_(?P<time>\d{4}(?:-\d{2}){5})(?:_(?P<file>.+)|(?P<about>\.txt))", re.DOTALL
)
_PERSON = re.compile(r"Name: .*\((?P<user>[^()\n]+)\)\s*")
_FILES = re.compile(r"^\tOriginal filename: (?P<own>.*)\n\tFilename: (?P<stored>.*)$", re.MULTILINE)
_GUESSED = "id-unsure: no .txt names the user, and the name of the file can be read in several ways"
_MOST = 8 << 20  # bytes; a student may type much


@dataclass
class _Attempt:
    """What the .txt of an attempt tells. A user of "" is not known."""

    user: str = ""
    own: dict[str, str] = field(default_factory=dict)  # stored name -> the student's


def read_blackboard(level: Level, handed_out: Collection[str]) -> list[DownloadPiece]:  # noqa: ARG001 (as each reader)
    """Return the pieces of a flat download."""
    matches = {name: match for name in level.names if (match := _NAME.fullmatch(name))}
    told = {
        match["head"] + match["time"]: _read_about(level, name) for name, match in matches.items() if match["about"]
    }
    pieces = []
    for name, match in matches.items():
        attempt = told.get(match["head"] + match["time"], _Attempt())
        user, flags = (attempt.user, ()) if attempt.user else _split_head(match["head"])
        own = "" if match["about"] else attempt.own.get(name, match["file"])
        time = _read_time(match["time"])
        unit, about = match["time"], bool(match["about"])
        pieces.append(
            DownloadPiece(level.place / name, user, own, unit, 1 if time else None, time=time, flags=flags, about=about)
        )
    return pieces


def _split_head(head: str) -> tuple[str, tuple[str, ...]]:
    """Return the user in "Lab 1_doe", and a flag where it may be another part of it."""
    assignment, _, user = head.rpartition("_")
    if not assignment:
        return "", ()
    return user, (_GUESSED,) if "_" in assignment else ()


def _read_about(level: Level, name: str) -> _Attempt:
    try:
        text = read_regular(level.place / name, _MOST).decode("utf-8-sig", "replace").replace("\r\n", "\n")
    except OSError:
        return _Attempt()
    # The head is the first line; a comment further down may hold anything, also the word "Name:".
    person = _PERSON.fullmatch(text.partition("\n")[0])
    stored = {match["stored"].strip(): match["own"].strip() for match in _FILES.finditer(text)}
    inside = {name: own for name, own in stored.items() if "/" not in own and "\\" not in own}
    return _Attempt(person["user"].strip() if person else "", inside)


def _read_time(stamp: str) -> datetime | None:
    with suppress(ValueError):
        return datetime.strptime(stamp, "%Y-%m-%d-%H-%M-%S")  # noqa: DTZ007 (in the zone of a server that does not say it)
    return None
