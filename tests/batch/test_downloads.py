"""Downloads as they come, graded by the command: folders of platforms, and archives."""

import shutil
import tempfile
import zipfile
from pathlib import Path

import pytest

from batch.conftest import ROOT
from builders import read_gradebook

WEAK = ("--isolation", "weak", "--exercise", "third_key")
SOLUTIONS = ROOT / "solutions"


def skipped(room):
    return {row["file"]: row["reason"] for row in read_gradebook((room.out / "skipped.csv").read_bytes().decode())}


def pack(archive, tree):
    with zipfile.ZipFile(archive, "w") as file:
        for path in sorted(tree.rglob("*")):
            file.write(path, path.relative_to(tree.parent).as_posix())
    return archive


def put(tree, *names, solution="third_key"):
    for name in names:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SOLUTIONS / f"{solution}.py", tree / name)


@pytest.mark.slow
def test_files_that_canvas_renamed_import_each_other_by_their_own_names(grade, classroom):
    room = classroom
    put(room.tree, "doejane_LATE_1001_5001_third_key-1.py", "roe_1002_5003_third_key.py")
    put(room.tree, "doejane_LATE_1001_5002_attention.py", "roe_1002_5004_attention.py", solution="attention")
    done = grade("batch", room.tree, "--out", room.out, *WEAK)
    assert done.returncode == 0, done.stderr
    assert "\nlayout      canvas\n" in done.stdout
    rows = room.rows()
    assert {student: (row["late"], row["attempt"]) for student, row in rows.items()} == {
        "1001": ("yes", "2"),
        "1002": ("no", "1"),
    }
    assert {row["automatic"] for row in rows.values()} == {row["max"] for row in rows.values()}
    assert {file["name"] for file in room.reports()["1001"]["submission"]["files"]} == {"third_key.py", "attention.py"}


@pytest.mark.slow
def test_a_group_is_graded_once_and_has_a_row_for_each_member(grade, classroom):
    room = classroom
    put(room.tree, "submission_1/third_key.py", "submission_2/third_key.py")
    (room.tree / "submission_metadata.yml").write_text(
        "---\nsubmission_1:\n  :submitters:\n  - :email: doe@x.invalid\n  - :email: roe@x.invalid\n"
        "submission_2:\n  :submitters: []\n"
    )
    done = grade("batch", room.tree, "--out", room.out, *WEAK)
    assert done.returncode == 0, done.stderr
    rows = room.rows()
    assert list(rows) == ["doe@x.invalid", "roe@x.invalid", "unassigned submission_2"]
    assert rows["doe@x.invalid"]["receipt"] == rows["roe@x.invalid"]["receipt"]
    assert "group" in rows["doe@x.invalid"]["flags"]
    assert len(room.reports()) == 2


@pytest.mark.parametrize("wrapped", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_an_archive_is_graded_like_its_folder_and_leaves_nothing_behind(grade, classroom, tmp_path, wrapped):
    room, temporary = classroom, tmp_path / "tmp"
    temporary.mkdir()
    put(room.tree, "doe/third_key.py", "roe/third_key.py")
    archive = tmp_path / "download.zip"
    if wrapped:
        pack(archive, room.tree)
    else:
        shutil.make_archive(str(archive.with_suffix("")), "zip", room.tree)
    env = {"TMPDIR": str(temporary), "TEMP": str(temporary), "TMP": str(temporary)}
    done = grade("batch", archive, "--out", room.out, *WEAK, env=env)
    assert done.returncode == 0, done.stderr
    assert list(room.rows()) == ["doe", "roe"]
    assert list(temporary.iterdir()) == []
    assert tempfile.gettempdir() not in (room.out / "gradebook.csv").read_text()
    again = grade("batch", archive, "--out", room.out, *WEAK, env=env)
    assert "submissions 2, 0 graded now" in again.stdout


def test_what_stays_packed_is_a_row_with_its_reason(grade, classroom, tmp_path):
    room, archive = classroom, tmp_path / "download.zip"
    put(room.tree, "doe/third_key.py")
    put(room.tree, "poe/third_key.py")
    pack(archive, room.tree)
    with zipfile.ZipFile(archive, "a") as file:
        file.writestr("../evil.py", "x = 1\n")
        file.writestr("submissions/roe.zip", "PK")
        file.writestr("../notes.txt", "x")
    done = grade("batch", archive, "--out", room.out, *WEAK)
    assert done.returncode == 3
    rows = room.rows()
    assert set(rows) == {"doe", "poe", "roe", "unassigned ../evil.py"}
    assert rows["unassigned ../evil.py"]["status"] == "no_result"
    assert "leads out of the archive" in rows["unassigned ../evil.py"]["flags"]
    assert "not opened" in done.stdout
    assert "leads out" in skipped(room)["../notes.txt"]
    assert not (Path(tempfile.gettempdir()) / "evil.py").exists()


@pytest.mark.parametrize(("name", "part"), [("class.zip", "damaged"), ("class.txt", "neither a folder nor a zip file")])
def test_what_is_no_archive_ends_with_two(grade, classroom, tmp_path, name, part):
    (tmp_path / name).write_text("no archive\n")
    done = grade("batch", tmp_path / name, "--out", classroom.out)
    assert (done.returncode, part in done.stderr) == (2, True)


def test_a_refusal_names_the_archive_and_not_a_folder_that_is_gone(grade, classroom, tmp_path):
    put(classroom.tree, "third_key.py", "multi_head.py")
    archive = shutil.make_archive(str(tmp_path / "download"), "zip", classroom.tree)
    done = grade("batch", archive, "--out", classroom.out)
    assert done.returncode == 2
    assert "download.zip looks like one person's work" in done.stderr
    assert "grade-batch-" not in done.stderr


@pytest.mark.slow
def test_an_earlier_attempt_stays_on_record(grade, classroom):
    room = classroom
    put(room.tree, "1-2 - Jane Doe - Feb 2, 2026 1205 AM/third_key.py")
    put(room.tree, "1-2 - Jane Doe - Feb 1, 2026 926 PM/third_key.py", solution="attention")
    done = grade("batch", room.tree, "--out", room.out, *WEAK)
    assert done.returncode == 0, done.stderr
    assert {student: row["attempt"] for student, row in room.rows().items()} == {"1-2": "2"}
    told = skipped(room)["1-2 - Jane Doe - Feb 1, 2026 926 PM"]
    assert told == "an earlier attempt (number 1, 2026-02-01 21:26:00); a later one counts"


def put_attempts(room):
    """Hand in right work first, and then, shortly after midnight, work that answers less."""
    put(room.tree, "1-2 - Jane Doe - Feb 1, 2026 926 PM/third_key.py", "3-2 - Roe - Feb 9, 2026 900 AM/third_key.py")
    put(room.tree, "1-2 - Jane Doe - Feb 1, 2026 926 PM/attention.py", solution="attention")
    put(room.tree, "1-2 - Jane Doe - Feb 2, 2026 1205 AM/attention.py", solution="attention")


@pytest.mark.slow
def test_the_best_attempt_counts_where_that_is_asked_for(grade, classroom):
    room = classroom
    put_attempts(room)
    words = ("batch", room.tree, "--out", room.out, *WEAK)
    done = grade(*words, "--attempts", "best")
    assert done.returncode == 0, done.stderr
    row = room.rows()["1-2"]
    assert (row["attempt"], row["automatic"]) == ("1", row["max"])
    assert "earlier-attempt: number 1 of 2" in row["flags"]
    assert "same-as" not in row["flags"]
    assert "another one counts" in skipped(room)["1-2 - Jane Doe - Feb 2, 2026 1205 AM"]
    assert len(room.reports()) == 3
    assert grade(*words).returncode == 0
    row = room.rows()["1-2"]
    assert row["attempt"] == "2"
    assert row["automatic"] != row["max"]


@pytest.mark.slow
def test_late_is_decided_where_it_is_so_in_every_zone(grade, classroom):
    room = classroom
    put_attempts(room)
    done = grade("batch", room.tree, "--out", room.out, *WEAK, "--due", "2026-02-02 00:00 UTC")
    assert done.returncode == 0, done.stderr
    rows = room.rows()
    assert {student: row["late"] for student, row in rows.items()} == {"1-2": "unknown", "3-2": "yes"}
    assert "late-unknown" in rows["1-2"]["flags"]


@pytest.mark.slow
def test_names_that_no_platform_gives_are_described_by_an_expression(grade, classroom):
    room = classroom
    put(room.tree, "A001_doe_2026-02-01T2200_third_key.py", "A002_roe_2026-02-01T2300_third_key.py", "x.py")
    expression = r"(?P<student>A\d+)_[a-z]+_(?P<time>[^_]+)_(?P<file>.+)"
    done = grade("batch", room.tree, "--out", room.out, *WEAK, "--name-regex", expression)
    assert done.returncode == 0, done.stderr
    assert list(room.rows()) == ["A001", "A002", "unassigned x.py"]
    assert [file["name"] for file in room.reports()["A001"]["submission"]["files"]] == ["third_key.py"]


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("--due", "2026-02-01 23:59"), "has no zone"),
        (("--due", "tomorrow"), "is no date with a zone"),
        (("--due", "2026-02-01 23:59 Nowhere/At_all"), "is no date with a zone"),
        (("--name-regex", "("), "is no regular expression"),
        (("--name-regex", "(?P<file>.*)"), "has no group (?P<student>...)"),
        (("--name-regex", "(?P<student>.*)(?P<colour>)"), "has a group colour"),
        (("--name-regex", "(?P<student>.*)", "--layout", "canvas"), "Give one of them"),
    ],
)
def test_what_cannot_be_meant_ends_with_two(grade, classroom, words, part):
    put(classroom.tree, "doe/third_key.py")
    done = grade("batch", classroom.tree, "--out", classroom.out, *words)
    assert (done.returncode, part in done.stderr) == (2, True), done.stderr
    assert not classroom.out.exists()
