"""A class from the tree to the gradebook: rows, resuming, determinism, hidden inputs."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from batch.conftest import QUICK, ROOT, SEED, timeless
from batch.synthetic import edit
from builders import POINTS, automatic_points, written_points
from grader.batch.process import Worker
from grader.batch.summary import summarise
from grader.course import Course, find_course
from grader.errors import CourseError, UsageError
from grader.grading import grade_paths
from grader.key.building import build_key
from grader.key.frozen import load_key
from grader.sandbox import open_engine

ONE = replace(QUICK, exercises=("third_key",))
DRAWN = replace(QUICK, seed=None)
OWN = DRAWN  # a student's own run has the public inputs
FULL = f"{automatic_points():g}"
AROUND = {"hangs": "timeout", "crashes": "crashed", "leaves": "error"}


def checks_of(report):
    return {check["name"]: check for exercise in report["exercises"] for check in exercise["checks"]}


def test_every_submission_has_a_row_in_the_order_of_the_names(everybody):
    students = list(everybody.rows())
    assert students == sorted(students)
    assert len(students) == 12
    assert set(everybody.reports()) == set(students)


def test_right_work_keeps_its_points_and_a_mistake_is_named(everybody):
    rows = everybody.rows()
    most = f"{automatic_points() + written_points():g}"
    assert (rows["right"]["automatic"], rows["right"]["max"], rows["right"]["written"]) == (FULL, most, "pending")
    assert rows['=cmd("x"), Zoë 🎓']["automatic"] == FULL
    assert "E1-01" in rows["no_scale"]["mistakes"]


@pytest.mark.parametrize("case", AROUND)
def test_one_bad_function_costs_that_function_and_no_neighbour(everybody, case):
    rest = automatic_points() - POINTS["gradient_chain"]["numerical_gradient"]
    assert everybody.rows()[case]["automatic"] == f"{rest:g}"
    outcomes = {name: check["outcome"] for name, check in checks_of(everybody.reports()[case]).items()}
    assert {outcome for name, outcome in outcomes.items() if name.startswith("numerical_gradient")} <= {
        AROUND[case],
        "skipped",
    }
    assert outcomes["attention.output"] == "passed"


def test_work_with_nothing_in_it_is_a_row_and_a_report(everybody):
    assert everybody.rows()["nothing"]["status"] == "nothing_to_grade"
    assert everybody.rows()["nothing"]["total"] == "0"
    assert len(everybody.reports()["nothing"]["submission"]["notes"]) == 1
    assert everybody.rows()["broken"]["status"] == "graded"
    assert everybody.rows()["untouched"]["total"] == "0"


def test_every_student_has_a_text_and_a_report_of_their_own(everybody):
    texts = {path.stem for path in (everybody.out / "students").glob("*.txt")}
    reports = {path.stem for path in (everybody.out / "students").glob("*.json")}
    assert texts == reports
    assert len(texts) == 12


def test_the_summary_counts_what_is_in_the_gradebook(everybody):
    text = summarise(everybody.result)
    assert "12, 12 graded now, 1 with nothing to grade" in text
    assert f"from 0 to {FULL}" in text
    assert "E1-01 in 1" in text
    assert "no result" not in text
    assert "skipped     1 file, with its reason in skipped.csv" in text
    assert "written     9 answers wait for a person" in text


def first_numbers(key):
    """Return the first three numbers of each row of each input, as a report prints them; but no small integers."""
    arrays = [
        array for probe in key.probes for array in probe.call.args if isinstance(array, np.ndarray) and array.ndim
    ]
    rows = [row[:3] for array in arrays if array.shape[-1] > 2 for row in array.reshape(-1, array.shape[-1])]
    return {", ".join(f"{value:.6g}" for value in row) for row in rows if np.any(row != np.round(row, 1))}


def test_what_a_student_sees_holds_no_seed_no_hidden_input_and_no_constant_answer(everybody):
    hidden = first_numbers(build_key(find_course(), SEED).hide()) - first_numbers(load_key(find_course().public_key))
    instructors = "".join(path.read_text() for path in (everybody.out / "reports").iterdir())
    assert [row for row in hidden if row in instructors]  # they are printed like this
    secrets = [*hidden, "hidden:", "hidden inputs only", "0.72593138", "0.4518627"]  # the last two: third_key()
    for path in (everybody.out / "students").iterdir():
        text = path.read_text()
        assert not [secret for secret in secrets if secret in text], path.name
        assert path.suffix != ".json" or json.loads(text)["seed"] is None


def test_a_students_own_run_and_the_batch_agree_on_everything_that_is_not_flagged(everybody):
    reports = everybody.reports()
    for case in ("right", "no_scale", "no_outer", "crashes", "heart"):
        own = grade_paths([everybody.tree / case], settings=OWN)
        own_checks = {check.name: check for exercise in own.exercises for check in exercise.checks}
        for name, check in checks_of(reports[case]).items():
            assert check["outcome"] == own_checks[name].outcome.value or check["flags"], (case, name)


def test_a_second_run_grades_nobody_and_changes_nothing(everybody, tmp_path):
    room = replace(everybody, out=tmp_path / "copy")
    shutil.copytree(everybody.out, room.out)
    files = [path for path in room.out.rglob("*") if path.is_file()]
    before = {path: path.read_bytes() for path in files}
    stamps = {path: path.stat().st_mtime_ns for path in room.out.glob("reports/*")}
    assert room.grade(DRAWN).fresh == 0
    assert {path: path.read_bytes() for path in files} == before
    assert {path: path.stat().st_mtime_ns for path in stamps} == stamps


@pytest.mark.slow
def test_one_process_and_eight_give_the_same_but_for_times(everybody, tmp_path):
    room = replace(everybody, out=tmp_path / "eight")
    room.grade(jobs=8)
    assert timeless(list(room.reports().values())) == timeless(list(everybody.reports().values()))
    names = [sorted(path.name for path in (place.out / "reports").iterdir()) for place in (room, everybody)]
    assert names[0] == names[1]
    for name in ("gradebook.csv", "skipped.csv"):
        assert (room.out / name).read_bytes() == (everybody.out / name).read_bytes()


@pytest.mark.slow
def test_only_who_changed_is_graded_again_and_the_old_report_goes(classroom):
    for student in ("doe", "roe"):
        classroom.hand_in(student, "right")
    classroom.grade()
    (classroom.tree / "doe" / "third_key.py").write_text(edit("smallest_wins")["third_key"])
    (classroom.tree / "doe" / "notes.txt").write_text("handed in again\n")
    assert classroom.grade().fresh == 1
    assert (classroom.rows()["doe"]["mistakes"], classroom.rows()["roe"]["mistakes"]) == ("E1-57", "")
    assert len(list((classroom.out / "reports").iterdir())) == 2
    assert classroom.grade(ONE).fresh == 2
    assert set(classroom.reports()) == {"doe", "roe"}


@pytest.mark.slow
def test_reports_that_other_settings_will_replace_are_counted_first(classroom):
    for student in ("doe", "roe"):
        classroom.hand_in(student, "right")
    classroom.grade()
    classroom.hand_in("roe", "no_scale")
    classroom.grade(ONE)
    assert [note for note in classroom.listener.notes if "other settings" in note] == [
        "1 report was graded with other settings and will be replaced; --out DIR with another folder keeps both."
    ]
    classroom.listener.notes.clear()
    classroom.grade(ONE, force=True)
    assert classroom.listener.notes == []


def test_a_chosen_seed_is_kept_only_where_something_is_graded_with_it(classroom):
    classroom.hand_in("doe", "right")
    classroom.grade()
    assert classroom.grade(replace(QUICK, seed=SEED + 1), only_failed=True).fresh == 0
    assert int((classroom.out / "hidden_seed").read_text()) == SEED


def test_what_is_not_opened_gets_no_advice_that_cannot_help(classroom):
    classroom.hand_in("doe", "right")
    (classroom.tree / "roe.zip").write_bytes(b"PK")
    text = summarise(classroom.grade())
    assert "no result   1: roe\n" in text
    assert "roe: roe.zip: an archive, which is not opened; unpack it first\n" in text
    assert "not opened  roe.zip\n" in text


def test_a_copy_of_the_course_is_the_course(classroom, checkout):
    classroom.hand_in("doe", "right")
    assert classroom.grade(replace(QUICK, course=checkout)).fresh == 1


@pytest.mark.slow
def test_force_grades_everybody_again(classroom):
    classroom.hand_in("doe", "right")
    assert [classroom.grade().fresh, classroom.grade().fresh, classroom.grade(force=True).fresh] == [1, 0, 1]


@pytest.mark.slow
def test_a_torn_report_is_graded_again(classroom):
    classroom.hand_in("doe", "right")
    classroom.grade()
    (path,) = (classroom.out / "reports").iterdir()
    path.write_bytes(path.read_bytes()[:1000])
    assert classroom.grade().fresh == 1
    assert classroom.reports()["doe"]["score"] == automatic_points()


def test_a_students_page_that_is_gone_is_written_again_without_grading(classroom):
    classroom.hand_in("doe", "right")
    classroom.grade()
    before = (classroom.out / "students" / "doe.txt").read_bytes()
    (classroom.out / "students" / "doe.txt").unlink()
    assert classroom.grade().fresh == 0
    assert (classroom.out / "students" / "doe.txt").read_bytes() == before


def break_for(monkeypatch, *students):
    real = Worker.grade

    def grade_or_die(self, job):
        if job["student"] in students:
            self.kill()
        return real(self, job)

    monkeypatch.setattr(Worker, "grade", grade_or_die)


def test_a_fault_of_ours_is_no_zero_is_not_kept_and_hurts_no_earlier_report(classroom, monkeypatch):
    for student in ("doe", "roe"):
        classroom.hand_in(student, "right")
    with monkeypatch.context() as broken:
        break_for(broken, "doe")
        result = classroom.grade()
    assert "no result   1: doe" in summarise(result)
    row = classroom.rows()["doe"]
    assert (row["status"], row["total"], row["automatic"], row["third_key"]) == ("grader_error", "", "", "")
    assert classroom.rows()["roe"]["total"] == FULL
    assert [path.name for path in (classroom.out / "faults").iterdir()] == ["doe.json"]
    assert classroom.grade().fresh == 1
    assert classroom.rows()["doe"]["total"] == FULL
    assert list((classroom.out / "faults").iterdir()) == []
    assert ", faults/" not in summarise(classroom.grade())


def test_when_new_work_meets_a_fault_the_earlier_report_stays_and_is_not_passed_off_as_new(classroom, monkeypatch):
    classroom.hand_in("doe", "right")
    classroom.grade()
    classroom.hand_in("doe", "no_scale")
    break_for(monkeypatch, "doe")
    classroom.grade()
    assert classroom.rows()["doe"]["status"] == "grader_error"
    assert classroom.reports()["doe"]["score"] == automatic_points()


@pytest.mark.slow
def test_only_failed_grades_who_has_no_result_and_keeps_the_others(classroom, monkeypatch):
    for student in ("doe", "roe"):
        classroom.hand_in(student, "right")
    with monkeypatch.context() as broken:
        break_for(broken, "doe")
        classroom.grade()
    classroom.hand_in("poe", "right")
    classroom.listener.steps.clear()
    result = classroom.grade(ONE, only_failed=True)
    assert sorted(classroom.listener.steps) == ["doe", "poe"]
    assert result.fresh == 2
    assert classroom.rows()["roe"]["flags"].endswith("graded earlier, from other files or settings")
    chain = f"{automatic_points('gradient_chain'):g}"
    assert (classroom.rows()["roe"]["gradient_chain"], classroom.rows()["doe"]["gradient_chain"]) == (chain, "")


def test_the_hidden_seed_is_drawn_once_and_stands_in_the_instructors_report_alone(classroom):
    classroom.hand_in("doe", "right")
    classroom.grade(DRAWN)
    seed = int((classroom.out / "hidden_seed").read_text())
    assert classroom.reports()["doe"]["seed"] == seed
    assert classroom.grade(DRAWN).fresh == 0
    others = [path for path in classroom.out.rglob("*") if path.is_file() and path.parent.name != "reports"]
    assert [path.name for path in others if str(seed) in path.read_text()] == ["hidden_seed"]


def test_answers_learned_by_heart_are_flagged(everybody):
    rows = everybody.rows()
    assert "attention.output: fails on hidden inputs only" in rows["heart"]["flags"]
    assert [student for student, row in rows.items() if "hidden inputs only" in row["flags"]] == ["heart"]
    assert "heart" in summarise(everybody.result).partition("look at ")[2].splitlines()[0]
    own = grade_paths([everybody.tree / "heart"], settings=OWN)
    outcomes = {check.name: check.outcome.value for exercise in own.exercises for check in exercise.checks}
    assert outcomes["attention.output"] == "passed"


def test_what_was_cut_off_or_could_not_be_read_is_flagged_with_that(everybody):
    rows = everybody.rows()
    assert "timeout: numerical_gradient" in rows["hangs"]["flags"]
    assert "crashed: numerical_gradient" in rows["crashes"]["flags"]
    assert "unreadable" in rows["broken"]["flags"]


def test_without_solutions_the_public_inputs_are_used_and_that_is_said(classroom, monkeypatch):
    course = find_course()
    monkeypatch.setattr("grader.batch.terms.find_course", lambda _: Course(course.stubs, None, course.public_key))
    classroom.hand_in("doe", "right")
    with pytest.raises(CourseError, match="--seed needs the reference solutions"):
        classroom.grade()
    result = classroom.grade(DRAWN)
    assert any("only the public inputs are used" in note for note in classroom.listener.notes)
    assert "public ones only" in summarise(result)
    assert classroom.reports()["doe"]["seed"] == 1706
    assert not (classroom.out / "hidden_seed").exists()


def test_full_isolation_is_what_hidden_inputs_get(classroom):
    classroom.hand_in("doe", "right")
    with open_engine() as engine:
        if engine.isolation()["level"] != "full":
            pytest.skip("this system has no full isolation")
    classroom.grade(replace(QUICK, isolation=None))
    assert classroom.reports()["doe"]["isolation"]["level"] == "full"


def test_results_cannot_go_where_the_submissions_are(classroom):
    classroom.hand_in("doe", "right")
    with pytest.raises(UsageError, match="Choose another one"):
        replace(classroom, out=Path(classroom.tree, "..", classroom.tree.name)).grade()


def test_results_inside_the_tree_are_left_out_of_the_next_run(classroom):
    classroom.hand_in("doe", "right")
    room = replace(classroom, out=classroom.tree / "results")
    room.grade()
    assert room.grade().fresh == 0
    assert list(room.rows()) == ["doe"]


def test_more_processes_than_cores_are_pointed_out(classroom):
    classroom.hand_in("doe", "right")
    classroom.grade(jobs=500)
    assert any("--jobs 500" in note for note in classroom.listener.notes)


def test_reports_of_people_who_are_gone_are_kept_and_counted(classroom):
    for student in ("doe", "roe"):
        classroom.hand_in(student, "right")
    classroom.grade()
    shutil.rmtree(classroom.tree / "roe")
    result = classroom.grade()
    assert result.strangers == 1
    assert "others      1 report of people without work here is kept" in summarise(result)
    assert "written     1 answer waits for a person" in summarise(result)
    assert list(classroom.rows()) == ["doe"]
    assert set(classroom.reports()) == {"doe", "roe"}


def test_the_repositorys_solutions_are_full_marks_as_a_class_of_one(classroom):
    shutil.copytree(ROOT / "solutions", classroom.tree / "reference" / "solutions")
    classroom.grade()
    assert classroom.rows()["reference"]["automatic"] == FULL
