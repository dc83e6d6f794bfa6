"""The gradebook as CSV: what a spreadsheet must not run, and what must survive."""

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import (
    NO_SCALE,
    automatic_points,
    build_check,
    build_exercise,
    build_perfect,
    build_report,
    read_gradebook,
    written_points,
)
from grader.export.gradebook import Column, Row, guard, make_row, pack_row, render_gradebook, unpack_row
from grader.inert import is_inert, read_back, write_out
from grader.report import Award, Outcome

COLUMNS = [
    Column("third_key", written=False),
    Column("multi_head", written=True),
    Column("gradient_chain", written=False),
]
NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)


def render(*rows):
    return render_gradebook(rows, COLUMNS)


def cells(*rows):
    return read_gradebook(render(*rows))


@given(NAMES, NAMES)
def test_every_name_survives_a_round_trip(student, path):
    (row,) = cells(Row(write_out(student), "graded", path=write_out(path)))
    assert (read_back(row["student"]), read_back(row["path"])) == (student, path)


@given(st.text())
def test_no_character_of_any_cell_acts_or_hides(text):
    shown = render(Row(text, "graded", path=text, flags=(text,)))
    assert all(map(is_inert, shown.replace("\r\n", "")))


@given(NAMES)
def test_a_row_is_the_same_after_it_went_through_json(student):
    row = make_row(build_perfect(), student, "alike")
    assert unpack_row(json.loads(json.dumps(pack_row(row)))) == row


@given(NAMES)
def test_no_cell_begins_as_a_formula(student):
    _, *rows = csv.reader(io.StringIO(render(Row(student, "graded", path=student, flags=(student,))), newline=""))
    assert not [cell for row in rows for cell in row if cell[:1] in ("=", "+", "-", "@", "\t", "\r")]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "'=1", "''=1", " =1", "\u00a0@x"])
def test_a_formula_gets_exactly_one_apostrophe(name):
    assert guard(name) == "'" + name
    assert cells(Row(write_out(name), "graded"))[0]["student"] == write_out(name)


def test_text_is_quoted_and_numbers_are_not():
    third, heads, chain = (f"{automatic_points(column.slug):g}" for column in COLUMNS)
    full, most = f"{automatic_points():g}", f"{automatic_points() + written_points():g}"
    line = render(make_row(build_perfect(), "doe")).splitlines()[1]
    assert line.startswith(
        f'"doe","graded","","unknown",{third},{heads},"pending",{chain},{full},"pending",{full},{most},'
    )


@pytest.mark.parametrize("name", ["doe", "'t Hooft", "O'Neil", "a=b", "李", "🎓"])
def test_other_names_stay_as_they_are(name):
    assert guard(name) == name


def test_commas_and_quotes_are_quoted_newlines_written_out_and_rows_end_as_the_standard_says():
    text = render(Row('a, "b"\nc', "graded"))
    assert '"a, ""b""\\nc","graded"' in text
    assert text.endswith("\r\n")
    assert text.count("\r\n") == 2


def test_a_graded_report_gives_points_by_exercise_and_what_waits_for_a_person():
    (row,) = cells(make_row(build_perfect(), "doe"))
    expected = {
        "status": "graded",
        "third_key": f"{automatic_points('third_key'):g}",
        "multi_head": f"{automatic_points('multi_head'):g}",
        "multi_head_written": "pending",
        "gradient_chain": f"{automatic_points('gradient_chain'):g}",
        "automatic": f"{automatic_points():g}",
        "written": "pending",
        "total": f"{automatic_points():g}",
        "receipt": "1f2e3d4c",
        "late": "unknown",
        "attempt": "",
    }
    assert expected.items() <= row.items()


def test_awarded_points_are_added():
    award = Award(points=3.5, comment="", reviewer="rev", at="2026-01-02")
    written = build_check("EXPLANATION", Outcome.PENDING, 5.0)
    exercise = build_exercise("multi_head", build_check("head_scale"), written, max_score=4.0, score=4.0, awarded=award)
    (row,) = cells(make_row(build_report(exercise, score=4.0, max_score=4.0), "doe"))
    wanted = {
        "multi_head": "4",
        "multi_head_written": "3.5",
        "automatic": "4",
        "written": "3.5",
        "total": "7.5",
        "max": "9",
    }
    assert wanted.items() <= row.items()
    assert row["third_key"] == ""


def test_untouched_work_is_zero_and_nothing_waits():
    checks = build_check("head_scale", Outcome.NOT_ATTEMPTED), build_check("EXPLANATION", Outcome.NOT_ATTEMPTED)
    (row,) = cells(make_row(build_report(build_exercise("multi_head", *checks, max_score=4.0)), "doe"))
    assert (row["automatic"], row["written"], row["total"]) == ("0", "0", "0")
    assert row["max"] == "8"


def test_named_mistakes_and_flags_are_listed_once():
    check = build_check(
        "attention",
        Outcome.FAILED,
        mistake=NO_SCALE,
        further_mistakes=(NO_SCALE,),
        flags=("fails on hidden inputs only",),
    )
    (row,) = cells(make_row(build_report(build_exercise("third_key", check, check)), "doe", "graded earlier"))
    assert row["mistakes"] == "E1-01"
    assert row["flags"].startswith("graded earlier; attention.values: fails on hidden inputs only")


def test_a_fault_of_the_grader_has_no_points_at_all():
    (row,) = cells(make_row(build_perfect().model_copy(update={"status": "grader_error", "score": None}), "doe"))
    assert row["status"] == "grader_error"
    assert row["flags"] == ""
    assert {
        row[name] for name in ("third_key", "multi_head", "multi_head_written", "automatic", "written", "total")
    } == {""}


def test_the_reason_of_a_fault_is_a_flag():
    fault = {"status": "grader_error", "score": None, "error": "The disk failed."}
    (row,) = cells(make_row(build_perfect().model_copy(update=fault), "doe", "alike"))
    assert row["flags"] == "alike; The disk failed."


def test_work_without_any_answer_says_so():
    missing = build_check("softmax", Outcome.MISSING)
    (row,) = cells(make_row(build_report(build_exercise("third_key", missing)), "doe"))
    assert (row["status"], row["total"]) == ("nothing_to_grade", "0")


def test_rows_keep_their_order():
    assert [row["student"] for row in cells(Row("b", "graded"), Row("a", "graded"))] == ["b", "a"]
