"""What is graded already: names of files, keys, and what counts as absent."""

import contextlib
import json
import os
import re
import socket
import stat
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import automatic_points, build_perfect
from grader.batch import ledger as room
from grader.batch import names
from grader.batch.collect import HandIn
from grader.batch.ledger import Ledger, UnwrittenError
from grader.batch.names import hash_parts, make_slug, make_stamp
from grader.calls import Limits
from grader.errors import UsageError
from grader.report import dump_report
from grader.settings import Settings
from grader.submissions import SubmittedFile
from grader.submissions.layouts import Entry

STAMP, OTHER = "a" * 64, "b" * 64
ALL = automatic_points()


def report_of(student, **fields):
    report = build_perfect()
    return report.model_copy(update={"submission": report.submission.model_copy(update={"student": student}), **fields})


def content_of(student, **fields):
    return dump_report(report_of(student, **fields)).encode()


@pytest.fixture
def ledger(tmp_path):
    made = Ledger(tmp_path / "out")
    made.open()
    return made


@given(st.lists(st.text(min_size=1), unique=True, min_size=2, max_size=2))
def test_two_students_never_share_a_file_name(names):
    slugs = {make_slug(name).casefold() for name in names}
    assert len(slugs) == 2


@given(st.text(min_size=1))
def test_a_file_name_is_accepted_by_every_system(name):
    slug = make_slug(name)
    assert re.fullmatch(r"[a-z0-9][a-z0-9_-]*", slug)
    assert "--" not in slug
    assert len(slug) < 60


def test_a_simple_name_stays_as_it_is_and_a_reserved_one_does_not():
    assert make_slug("doe") == "doe"
    assert make_slug("con") != "con"
    assert make_slug("Doe") != make_slug("doe")
    assert make_slug(make_slug("Doe")) != make_slug("Doe")
    assert make_slug("Zoë Ångström").startswith("zo-ngstr-m-")


def test_parts_are_hashed_with_their_lengths():
    assert hash_parts(["ab", "c"]) != hash_parts(["a", "bc"])
    assert hash_parts(["ab", ""]) != hash_parts(["ab"])


DOE = HandIn(Entry("doe", (Path("doe"),), "doe"), (SubmittedFile("a.py", "1" * 64),))
FULL = Settings(isolation="full")


@pytest.mark.parametrize(
    ("hand_in", "key_digest", "settings"),
    [
        (DOE, "another", FULL),
        (DOE, "digest", replace(FULL, isolation="weak")),
        (DOE, "digest", replace(FULL, exercises=("third_key",))),
        (DOE, "digest", replace(FULL, limits=Limits(call=1.0))),
        (DOE, "digest", replace(FULL, limits=Limits(memory=99))),
        (replace(DOE, entry=replace(DOE.entry, student="roe")), "digest", FULL),
        (replace(DOE, entry=replace(DOE.entry, attempt=2)), "digest", FULL),
        (replace(DOE, entry=replace(DOE.entry, late="yes")), "digest", FULL),
        (replace(DOE, files=(SubmittedFile("a.py", "2" * 64),)), "digest", FULL),
        (replace(DOE, files=(SubmittedFile("b.py", "1" * 64),)), "digest", FULL),
        (replace(DOE, files=()), "digest", FULL),
    ],
)
def test_everything_that_decides_a_report_decides_its_stamp(hand_in, key_digest, settings):
    assert make_stamp(hand_in, key_digest, settings) != make_stamp(DOE, "digest", FULL)


def test_versions_decide_the_stamp_and_the_place_on_disk_does_not(monkeypatch):
    before = make_stamp(DOE, "digest", FULL)
    moved = replace(DOE, entry=replace(DOE.entry, paths=(Path("/elsewhere/doe"),), label="elsewhere"))
    assert make_stamp(moved, "digest", FULL) == before
    # These come in by way of the key's digest.
    assert make_stamp(DOE, "digest", replace(FULL, seed=3, course=Path("elsewhere"))) == before
    monkeypatch.setattr(names, "__version__", "999")
    assert make_stamp(DOE, "digest", FULL) != before


def test_the_files_that_were_graded_decide_the_stamp():
    changed = (SubmittedFile("a.py", "2" * 64),)
    assert make_stamp(DOE, "digest", FULL, changed) == make_stamp(replace(DOE, files=changed), "digest", FULL)


def test_a_report_replaces_the_one_before_and_ends_the_fault(ledger):
    ledger.store("doe", STAMP, content_of("doe"))
    ledger.store_fault("doe", b"{}")
    ledger.store("doe", OTHER, content_of("doe"))
    assert [path.name for path in ledger.reports.iterdir()] == [f"doe--{'b' * 16}.json"]
    assert list(ledger.faults.iterdir()) == []
    assert ledger.find("doe", OTHER) == report_of("doe")
    assert ledger.find("doe", STAMP) is None


def test_of_the_reports_of_two_runs_the_newer_one_is_kept_at_the_end(ledger):
    ledger.store("doe", STAMP, content_of("doe"))
    other = Ledger(ledger.folder)
    other.open()
    other.store("doe-2", STAMP, content_of("doe-2"))
    ledger.store("roe", STAMP, content_of("roe", created_at="2026-02-01"))
    other.store("roe", OTHER, content_of("roe", created_at="2026-01-01"))
    ledger.store("doe", STAMP, content_of("doe"))
    ledger.tidy()
    assert [path.name for path in ledger.reports.glob("roe*")] == [f"roe--{'a' * 16}.json"]
    (ledger.reports / f"roe--{'a' * 16}.json").unlink()
    assert sorted(path.name for path in ledger.reports.iterdir()) == [
        f"doe--{'a' * 16}.json",
        f"doe-2--{'a' * 16}.json",
    ]


@pytest.mark.skipif(os.name != "posix", reason="no such modes there")
def test_what_holds_the_seed_is_for_the_instructor_alone(tmp_path):
    made = Ledger(tmp_path / "new")
    made.open()
    assert not made.faults.exists()
    made.store_fault("doe", b"{}")
    older = Ledger(tmp_path / "older")
    for folder in (older.reports, older.faults):
        folder.mkdir(parents=True, mode=0o755)
    older.open()
    for folder in (made.reports, made.faults, older.reports, older.faults):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert made.list_exposed() == older.list_exposed() == []


@pytest.mark.skipif(os.name != "posix", reason="no such modes there")
def test_a_folder_that_stays_open_to_others_is_told(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError

    (tmp_path / "reports").mkdir(mode=0o755)
    monkeypatch.setattr(Path, "chmod", refuse)
    ledger = Ledger(tmp_path)
    ledger.open()
    assert ledger.list_exposed() == [ledger.reports]


def test_where_the_new_report_cannot_be_written_the_old_one_stays(ledger):
    ledger.store("doe", STAMP, content_of("doe"))
    (ledger.reports / f"doe--{'b' * 16}.json").mkdir()  # nothing can be moved onto it
    with pytest.raises(UnwrittenError, match=r"doe--b+.json could not be written: Is a directory"):
        ledger.store("doe", OTHER, content_of("doe"))
    assert ledger.find("doe", STAMP) == report_of("doe")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        content_of("doe")[:-40],
        b"\0" * 100,
        content_of("roe"),
        content_of("doe", status="grader_error", score=None, error="lost"),
        content_of("doe").replace(b'"schema_version": 1', b'"schema_version": 0'),
    ],
    ids=["empty", "torn", "zeros", "somebody else's", "a fault", "another schema"],
)
def test_what_is_not_this_students_result_counts_as_absent(ledger, content):
    (ledger.reports / f"doe--{'a' * 16}.json").write_bytes(content)
    ledger.refresh()
    assert ledger.find("doe", STAMP) is None
    assert ledger.find_any("doe") is None


def test_the_newest_of_several_reports_is_taken_where_any_will_do(ledger):
    for stamp, day in ((STAMP, "2026-01-01"), (OTHER, "2026-02-01")):
        (ledger.reports / f"doe--{stamp[:16]}.json").write_bytes(content_of("doe", created_at=day))
    ledger.refresh()
    assert ledger.find_any("doe").created_at == "2026-02-01"


def test_leftovers_of_a_killed_run_go_and_those_of_a_running_one_stay(ledger):
    old, young = ledger.reports / ".doe--a.json-1.tmp", ledger.reports / ".doe--b.json-2.tmp"
    for path in (old, young):
        path.write_bytes(b"half")
    os.utime(old, (time.time() - 2 * room.OLD,) * 2)
    ledger.open()
    assert list(ledger.reports.iterdir()) == [young]
    assert ledger.find_any("doe") is None


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match=r"out cannot be written to.*--out DIR"):
        Ledger(tmp_path / "file" / "out").open()


def test_a_torn_newer_report_takes_nobodys_place(ledger):
    (ledger.reports / f"doe--{'a' * 16}.json").write_bytes(content_of("doe"))
    (ledger.reports / f"doe--{'b' * 16}.json").write_bytes(content_of("doe", created_at="2027-01-01")[:-40])
    ledger.tidy()
    assert [path.name for path in ledger.reports.iterdir()] == [f"doe--{'a' * 16}.json"]


def test_storing_a_report_lists_no_folder(ledger, monkeypatch):
    def refuse(*_):
        raise AssertionError

    monkeypatch.setattr(os, "listdir", refuse)
    monkeypatch.setattr(os, "scandir", refuse)
    for stamp in (STAMP, OTHER):
        ledger.store("doe", stamp, content_of("doe"))
    monkeypatch.undo()
    assert [path.name for path in ledger.reports.iterdir()] == [f"doe--{'b' * 16}.json"]


@pytest.mark.slow
def test_storing_a_report_takes_as_long_among_50_000_as_among_1_000(tmp_path):
    seconds = {}
    for size in (1_000, 50_000):
        ledger = Ledger(tmp_path / str(size))
        ledger.open()
        for number in range(size):
            (ledger.reports / f"s{number}--{'a' * 16}.json").touch()
        ledger.open()
        began = time.process_time()
        for number in range(300):
            ledger.store(f"s{number}", OTHER, b"{}")
        seconds[size] = time.process_time() - began
    assert seconds[50_000] < 2.5 * seconds[1_000]


def edit(**changes):
    report = json.loads(content_of("doe"))
    for place, value in changes.items():
        *path, name = place.split("__")
        part = report
        for step in path:
            part = part[int(step) if step.isdigit() else step]
        part[name] = value
    return json.dumps(report).encode()


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"score": 1000}, f"the report has 1000 points, its exercises {ALL:g}"),
        ({"score": ALL - 1}, f"the report has {ALL - 1:g} points, its exercises {ALL:g}"),
        ({"score": 1000, "max_score": 1000, "exercises__0__score": 935}, "third_key has 935 points, its checks"),
        ({"exercises__0__checks__0__score": 400}, "has 400 of"),
        ({"exercises__0__checks__0__score": -1}, "has -1 of"),
        ({"max_score": 1000}, f"the report has {ALL:g} of 1000 points"),
        (
            {"exercises__0__max_score": 1, "exercises__0__score": 0, "exercises__0__checks": [], "score": 65},
            "third_key has 0 of 1 points",
        ),
    ],
)
def test_a_report_that_was_edited_by_hand_is_noticed_and_not_taken(ledger, changes, why):
    (ledger.reports / f"doe--{'a' * 16}.json").write_bytes(edit(**changes))
    ledger.refresh()
    assert ledger.find("doe", STAMP) is None
    assert why in ledger.doubtful["doe"]
    assert ledger.find_any("doe") is None


def test_points_that_the_grader_does_not_give_are_noticed_where_a_report_agrees_with_itself(ledger):
    report = json.loads(content_of("doe"))
    report["exercises"] = report["exercises"][:1]
    (exercise,) = report["exercises"]
    exercise["checks"] = exercise["checks"][:1]
    for part in (report, exercise):
        part["score"] = part["max_score"] = exercise["checks"][0]["score"]
    (ledger.reports / f"doe--{'a' * 16}.json").write_text(json.dumps(report))
    assert ledger.find("doe", STAMP) is None
    assert "other points than the grader gives" in ledger.doubtful["doe"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names there")
@pytest.mark.parametrize("kind", ["pipe", "device", "socket", "folder", "link to a pipe", "huge"])
def test_what_is_no_file_is_never_waited_for(ledger, kind):
    path = ledger.reports / f"doe--{'a' * 16}.json"
    with contextlib.ExitStack() as stack:
        match kind:
            case "pipe":
                os.mkfifo(path)
            case "device":
                path.symlink_to("/dev/zero")
            case "socket":
                # The name of a socket has to be short.
                stack.callback(os.chdir, Path.cwd())
                os.chdir(ledger.reports)
                stack.enter_context(socket.socket(socket.AF_UNIX)).bind(path.name)
            case "folder":
                path.mkdir()
            case "link to a pipe":
                os.mkfifo(ledger.folder / "pipe")
                path.symlink_to(ledger.folder / "pipe")
            case "huge":
                with path.open("wb") as stream:
                    stream.truncate(1 << 40)
        ledger.refresh()
        assert ledger.find("doe", STAMP) is None
        assert ledger.find_any("doe") is None
        ledger.tidy()
        if kind != "folder":
            ledger.store("doe", STAMP, content_of("doe"))
            assert ledger.find("doe", STAMP) == report_of("doe")
