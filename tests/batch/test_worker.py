"""What a worker makes of one submission that is no ordinary work."""

import errno
import io
import os
from pathlib import Path

import pytest

from grader.batch.frames import receive, receive_bytes, send, send_bytes
from grader.batch.worker import Bench, pack_report, serve
from grader.course import find_course
from grader.errors import CourseError, GraderError
from grader.files import pack_path
from grader.key.frozen import load_key
from grader.report import Outcome
from grader.sandbox import open_engine
from grader.submissions.asking import read_asked


@pytest.fixture(scope="module")
def bench():
    from batch.conftest import QUICK

    course = find_course()
    with open_engine(isolation="weak") as engine:
        yield Bench(engine, load_key(course.public_key), read_asked(course), QUICK, ())


@pytest.fixture
def grade(bench, tmp_path):
    def run(files, hashes=()):
        folder = tmp_path / "doe"
        folder.mkdir(exist_ok=True)
        for name, text in files.items():
            if name.endswith("/"):
                (folder / name).mkdir()
            else:
                (folder / name).write_text(text)
        return bench.grade(
            {
                "student": "doe",
                "attempt": 2,
                "late": "yes",
                "label": "doe",
                "paths": [pack_path(folder)],
                "files": hashes,
            }
        )

    return run


def outcome_of(report, function):
    checks = [check for exercise in report.exercises for check in exercise.checks]
    return next(check.outcome for check in checks if check.function == function)


def test_an_empty_folder_is_zero_points_with_one_sentence(grade):
    report = grade({})
    assert (report.status, report.score) == ("graded", 0)
    assert report.submission.notes == ("doe is empty; give a folder with a script (.py) or a notebook (.ipynb)",)
    assert (report.submission.student, report.submission.attempt, report.submission.late) == ("doe", 2, "yes")


def test_work_without_an_asked_for_function_is_zero_points_with_one_sentence(grade):
    report = grade({"a.py": "def unrelated():\n    return 1\n"}, [["a.py", "1" * 64]])
    assert (report.status, report.score) == ("graded", 0)
    assert len(report.submission.notes) == 1
    assert "has none of the functions" in report.submission.notes[0]
    assert [file.sha256 for file in report.submission.files] == ["1" * 64]


def test_two_different_answers_are_an_error_of_that_function_alone(grade):
    one, two = "def softmax(x, axis=-1):\n    return x\n", "def softmax(x, axis=-1):\n    return -x\n"
    report = grade(
        {"a.py": one, "b.py": two + "def head_scale(d_k, num_heads):\n    return (num_heads / d_k) ** 0.5\n"}
    )
    assert outcome_of(report, "softmax") is Outcome.ERROR
    assert outcome_of(report, "head_scale") is Outcome.PASSED
    assert any("a.py line 1" in note and "b.py line 1" in note for note in report.submission.notes)


def test_a_file_that_the_disk_does_not_give_is_no_students_zero(grade):
    report = grade({"a.py": "def softmax(x, axis=-1):\n    return x\n"}, [["a.py", ""]])
    assert (report.status, report.score) == ("grader_error", None)
    assert "a.py cannot be read" in report.error


@pytest.mark.parametrize("name", ["what cannot be read.txt", "cannot be read (.txt"])
def test_a_students_file_name_makes_no_fault_of_ours(grade, name):
    report = grade({name: "nothing"})
    assert (report.status, report.score) == ("graded", 0)
    assert name in report.submission.notes[0]


def test_what_the_disk_does_not_give_is_no_students_zero(grade, monkeypatch):
    real = os.scandir

    def refuse(folder):
        if Path(folder).name == "closed":
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(folder)

    monkeypatch.setattr(os, "scandir", refuse)
    report = grade({"notes.txt": "x", "closed/": ""})
    assert (report.status, report.score) == ("grader_error", None)
    assert "closed/ was skipped: cannot be read (Permission denied)" in report.error


def test_a_folder_that_is_gone_is_no_students_zero(bench, tmp_path):
    job = {"student": "doe", "attempt": None, "late": "unknown", "label": "doe", "files": []}
    report = bench.grade(job | {"paths": [pack_path(tmp_path / "gone")]})
    assert (report.status, report.score) == ("grader_error", None)
    assert str(tmp_path) not in report.error


def test_a_fault_while_reading_is_no_students_zero(grade, monkeypatch):
    def fail(*_):
        raise RuntimeError

    monkeypatch.setattr("grader.batch.worker.read_submission", fail)
    report = grade({"a.py": "x = 1\n"})
    assert (report.status, report.score) == ("grader_error", None)
    assert "RuntimeError" in report.error


def test_what_a_student_sees_comes_from_the_report_for_students(grade):
    said = pack_report(grade({"a.py": "def third_key():\n    return 1, 2\n"}))
    assert '"seed": null' in said["student_json"]
    assert '"seed": 1706' in said["report"]
    assert "third_key" in said["student_text"]


def test_frames_keep_what_is_sent():
    stream = io.BytesIO()
    send(stream, {"name": "Zoë\udcff"})
    send_bytes(stream, b"\0" * 70_000)
    stream.seek(0)
    assert receive(stream) == {"name": "Zoë\udcff"}
    assert receive_bytes(stream) == b"\0" * 70_000
    with pytest.raises(EOFError):
        receive_bytes(stream)


@pytest.mark.parametrize("broken", ["course", "else"])
def test_a_refusal_tells_of_which_kind_it_is(monkeypatch, broken):
    kind = {"course": CourseError, "else": GraderError}[broken]

    said = "no"

    def refuse(*_):
        raise kind(said)

    monkeypatch.setattr("grader.batch.worker.open_bench", refuse)
    source, sink = io.BytesIO(), io.BytesIO()
    send(source, {})
    send_bytes(source, b"")
    source.seek(0)
    serve(source, sink)
    sink.seek(0)
    assert receive(sink) == {"refused": said, "kind": kind.__name__}


def test_a_batch_that_closes_the_connection_at_once_is_no_error():
    sink = io.BytesIO()
    serve(io.BytesIO(b"\0\0\0\x09half"), sink)
    assert sink.getvalue() == b""
