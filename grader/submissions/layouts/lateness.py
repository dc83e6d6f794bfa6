"""Late or not: yes, no, or unknown. A time without a zone is decided only where it is so in every zone of the world."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from grader.errors import UsageError
from grader.submissions.layouts.entries import Entry, Late

# Clocks of the world: from 14 hours before UTC's to 12 hours after it.
_AHEAD, _BEHIND = timedelta(hours=14), timedelta(hours=12)
_EXAMPLE = '"2026-02-01 23:59 Europe/Berlin" or 2026-02-01T23:59+01:00'
_NEAR = "late-unknown: the platform tells no zone, and in some zones this is late"


def read_due(text: str) -> datetime:
    """Return a due date with its zone. Raise `UsageError` where it has none, or cannot be read."""
    words = text.split()
    try:
        moment = datetime.fromisoformat(" ".join(words[:2]))
        if len(words) == 3 and moment.tzinfo is None:  # noqa: PLR2004 (a day, an hour, a zone)
            moment, words = moment.replace(tzinfo=ZoneInfo(words[2])), words[:2]
    except (ValueError, KeyError, OSError) as error:  # a zone that nobody knows is a `KeyError`
        message = f"`{text}` is no date with a zone. Give one like {_EXAMPLE}."
        raise UsageError(message) from error
    if moment.tzinfo is None or len(words) > 2:  # noqa: PLR2004 (as above)
        message = f"`{text}` has no zone, without which it is another moment on each machine. Give one like {_EXAMPLE}."
        raise UsageError(message)
    return moment


def decide_late(entry: Entry, due: datetime) -> Entry:
    """Return an entry with `late` decided, where its time is known and the platform itself said nothing."""
    if entry.late != "unknown" or entry.time is None:
        return entry
    late = _compare(entry.time, due)
    return replace(entry, late=late, flags=(*entry.flags, _NEAR) if late == "unknown" else entry.flags)


def _compare(time: datetime, due: datetime) -> Late:
    if time.tzinfo is not None:
        return "yes" if time > due else "no"
    there = time.replace(tzinfo=UTC)
    if there - _AHEAD > due:
        return "yes"
    return "no" if there + _BEHIND <= due else "unknown"
