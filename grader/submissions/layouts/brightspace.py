"""D2L Brightspace: `397001-2557001 - Jane Doe - Feb 1, 2026 926 PM/`, or flat files; the pair of ids is the student.

Each attempt has a folder of its own. The time has no colon and no zone (926 PM is 21:26 at the site), and sorts wrongly
as text. Brightspace takes feedback back only under the same folder names.
"""

import re
from collections.abc import Collection
from datetime import datetime

from grader.submissions.layouts.downloads import DownloadPiece, Level

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
# The date is the anchor: names hold hyphens between blanks, too.
_DATED = re.compile(
    rf"(?P<student>\d+-\d+) - (?P<name>.+?) - (?P<month>{'|'.join(_MONTHS)}) (?P<day>\d{{1,2}}), (?P<year>\d{{4}}) "
    r"(?P<hour>\d{1,2}?)(?P<minute>\d\d) (?P<half>AM|PM)(?: - (?P<file>.+))?",
    re.DOTALL,
)
_UNDATED = re.compile(r"(?P<student>\d+-\d+) - (?P<name>.+?) - (?P<file>.+)", re.DOTALL)
_NO_TIME = "attempt-unknown: the name has no date"


def read_brightspace(level: Level, handed_out: Collection[str]) -> list[DownloadPiece]:  # noqa: ARG001 (as each reader)
    """Return the pieces of a download, in folders or flat."""
    pieces = []
    for name in level.names:
        place = level.place / name
        if match := _DATED.fullmatch(name):
            time = _read_time(match)
            unit, own = name.removesuffix(f" - {match['file']}"), match["file"] or ""
            flags = () if time else (_NO_TIME,)
            pieces.append(
                DownloadPiece(place, match["student"], own, unit, 1 if time else None, time=time, flags=flags)
            )
        elif (match := _UNDATED.fullmatch(name)) and not place.is_dir():
            pieces.append(DownloadPiece(place, match["student"], match["file"], flags=(_NO_TIME,)))
    return pieces


def _read_time(match: re.Match[str]) -> datetime | None:
    """Return the time at the site; None where there is no such day or hour."""
    hour = int(match["hour"]) % 12 + 12 * (match["half"] == "PM")
    month = _MONTHS.index(match["month"]) + 1
    try:
        return datetime(int(match["year"]), month, int(match["day"]), hour, int(match["minute"]))  # noqa: DTZ001 (the site does not say it)
    except ValueError:
        return None
