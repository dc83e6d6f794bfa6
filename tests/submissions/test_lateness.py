"""Late or not, from the time of a submission and a due date."""

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from grader.submissions.layouts import Entry
from grader.submissions.layouts.lateness import decide_late, read_due

DUE = datetime(2026, 2, 1, 12, tzinfo=UTC)


def decide(time, late="unknown"):
    return decide_late(Entry("doe", (Path("a"),), "a", late=late, time=time), DUE)


@pytest.mark.parametrize("text", ["2026-02-01T13:00+01:00", "2026-02-01 13:00 Europe/Berlin", "2026-02-01 12:00Z"])
def test_a_due_date_has_a_zone_as_offset_or_name(text):
    assert read_due(text) == DUE


def test_a_time_with_a_zone_is_compared_and_the_very_moment_is_in_time():
    east = timezone(timedelta(hours=14))
    assert decide(DUE.astimezone(east)).late == "no"
    assert decide((DUE + timedelta(seconds=1)).astimezone(east)).late == "yes"


@pytest.mark.parametrize(
    ("hours", "late"), [(-13, "no"), (-12, "no"), (-11, "unknown"), (0, "unknown"), (14, "unknown"), (14.1, "yes")]
)
def test_a_time_without_a_zone_is_decided_beyond_all_zones_only(hours, late):
    entry = decide(DUE.replace(tzinfo=None) + timedelta(hours=hours))
    assert entry.late == late
    assert bool(entry.flags) == (late == "unknown")


def test_what_the_platform_says_stays_and_no_time_decides_nothing():
    assert decide(DUE + timedelta(days=9), late="no").late == "no"
    assert decide(None).late == "unknown"
