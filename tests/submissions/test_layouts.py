"""The downloads of learning platforms: `layouts/<platform>/expected.json` says of each file whose it is.

All names and ids in these trees are invented; they follow the forms of the platforms, and no site exported them.
"""

import json
import unicodedata
from pathlib import Path

import pytest

from grader.submissions.discovery import discover
from grader.submissions.layouts import LAYOUTS
from grader.submissions.layouts.recognition import recognise

CASES = Path(__file__).with_name("layouts")
# The folder that an instructor would give, and what it holds.
TREES = {
    "canvas/submissions": "canvas",
    "canvas": "canvas",
    "moodle/folders": "moodle",
    "moodle/flat": "moodle",
    "gradescope/assignment_7654321_export": "gradescope",
    "gradescope/autograder": "gradescope",
    "brightspace/folders": "brightspace",
    "brightspace/flat": "brightspace",
    "nbgrader": "nbgrader",
    "nbgrader/submitted": "nbgrader",
}
HANDED_OUT = {"hw1"}
LATE = {True: "yes", False: "no", None: "unknown"}


def nfc(text):
    return unicodedata.normalize("NFC", text)


def expected_rows(tree):
    case = tree.split("/")[0]
    rows = json.loads((CASES / case / "expected.json").read_text(encoding="utf-8"))
    paths = [row | {"path": f"{case}/{row['path']}"} for row in rows]
    return [row for row in paths if row["path"].startswith(f"{tree}/")]


def arrange(tree):
    return recognise(LAYOUTS, CASES / tree, [], HANDED_OUT)


def owner(arrangement, row):
    """Return the one entry that holds the file of a row."""
    place = CASES / row["path"]
    if place.name == "submission_metadata.json":  # the row of an autograder's folder stands for the work beside it
        place = place.parent / row["file"]
    places = {Path(nfc(str(path))) for path in (place, *place.parents)}
    entries = (*arrangement.entries, *arrangement.earlier)
    (entry,) = [one for one in entries if places & {Path(nfc(str(path))) for path in one.paths}]
    return entry, place


@pytest.mark.parametrize(("tree", "layout"), TREES.items())
def test_a_download_is_recognised_by_its_names(tree, layout):
    found = arrange(tree)
    assert (found.layout, found.doubt) == (layout, "")


CHECKED = [pytest.param(tree, row, id=row["path"]) for tree in TREES for row in expected_rows(tree)]


def test_every_row_of_every_case_is_checked():
    checked = {row["path"] for tree in TREES for row in expected_rows(tree)}
    every = {row["path"] for case in {tree.split("/")[0] for tree in TREES} for row in expected_rows(case)}
    assert checked == every
    assert len(every) > 40


@pytest.mark.parametrize(("tree", "row"), CHECKED)
def test_each_file_belongs_to_whom_the_case_says(tree, row):
    entry, place = owner(arrange(tree).arrangement, row)
    match row["student"]:
        case None:
            assert entry.student.startswith("unassigned ")
            assert any(flag.startswith("unassigned") for flag in entry.flags)
        case list(members):
            assert list(entry.members) == members
        case student:
            assert (entry.student, entry.members) == (nfc(student), ())
    assert entry.late == LATE[row["late"]]
    assert entry.attempt == row["attempt"]
    if "time" in row:
        assert (entry.time and entry.time.isoformat()) == same_moment(row["time"], entry.time)
    if row["file"] is not None:
        names = {file.path: file.name for file in discover(entry.paths, (), dict(entry.names)).files}
        own = [name for path, name in names.items() if nfc(str(path)) == nfc(str(place))]
        assert own == [nfc(row["file"]).removeprefix("submission/")]
    if row["attempt"] is None and row["late"] is not None:
        assert any(flag.startswith("attempt-unknown") for flag in entry.flags)


def same_moment(text, time):
    """Return the expected time in the zone in which it was read."""
    from datetime import datetime

    if text is None or time is None:
        return text
    expected = datetime.fromisoformat(text)
    return (expected.astimezone(time.tzinfo) if time.tzinfo else expected).isoformat()
