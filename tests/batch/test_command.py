"""`grade batch` as a person calls it: exit codes, streams, refusals."""

import os
import sys

import pytest

from batch.conftest import ROOT

WEAK = ("--isolation", "weak", "--seed", "77")


@pytest.fixture
def classroom_with_doe(classroom):
    classroom.hand_in("doe", "no_scale")
    return classroom


def test_a_graded_class_ends_with_zero_whatever_the_points(grade, classroom_with_doe):
    room = classroom_with_doe
    done = grade("batch", room.tree, "--out", room.out, *WEAK)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("submissions 1, 1 graded now")
    assert grade("batch", room.tree, "--out", room.out, *WEAK, "--exit-zero").returncode == 0


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("missing/", "--out", "out"), 2, "`missing/` does not exist"),
        ((".", "--out", "."), 2, "is the folder of the submissions"),
        (("doe.py", "--out", "out"), 2, "doe.py is not a folder"),
        ((".",), 2, "--out"),
        ((".", "--out", "out", "--force", "--only-failed"), 2, "Give one of them"),
        ((".", "--out", "out", "--jobs", "0"), 2, "--jobs"),
        ((".", "--out", "out", "--exercise", "nonsense"), 2, "not an exercise"),
        (("empty", "--out", "out"), 5, "holds no student's work"),
        ((".", "--out", "doe.py/out"), 3, "could not be written"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(grade, tmp_path, words, code, sentence):
    (tmp_path / "doe.py").write_text("x = 1\n")
    (tmp_path / "empty").mkdir()
    done = grade("batch", *words, cwd=tmp_path)
    assert done.returncode == code
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


@pytest.mark.skipif(os.name == "nt", reason="no such loop there")
def test_a_submission_without_a_result_ends_with_three(grade, classroom_with_doe):
    room = classroom_with_doe
    (room.tree / "roe").mkdir()
    (room.tree / "roe" / "third_key.py").symlink_to("third_key.py")  # to itself: no system can read it
    done = grade("batch", room.tree, "--out", room.out, *WEAK)
    assert done.returncode == 3
    assert "no result   1: roe" in done.stdout
    assert (room.rows()["doe"]["status"], room.rows()["roe"]["status"]) == ("graded", "grader_error")
    assert room.rows()["roe"]["total"] == ""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere isolation is weak anyway")
def test_hidden_inputs_without_full_isolation_are_refused_with_the_way_out(grade, classroom_with_doe, tmp_path):
    # What a system without Landlock and seccomp does, in every process of the command.
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(
        "from grader.sandbox.zygote import ZygoteEngine\nZygoteEngine.__init__.__kwdefaults__['confine'] = False\n"
    )
    room = classroom_with_doe
    env = {"PYTHONPATH": f"{tmp_path / 'site'}:{ROOT}"}
    done = grade("batch", room.tree, "--out", room.out, "--seed", "77", env=env)
    assert done.returncode == 3
    for part in (
        "landlock",
        "seccomp",
        f"`grade batch {room.tree} --out {room.out} --isolation weak`",
        "what is lost: ",
    ):
        assert part in done.stderr
    done = grade("batch", room.tree, "--out", room.out, *WEAK, env=env)
    assert done.returncode == 0
    assert room.reports()["doe"]["isolation"]["level"] == "weak"
    assert room.rows()["doe"]["status"] == "graded"


def test_a_student_file_named_like_a_library_is_not_imported_by_the_grader(grade, classroom_with_doe):
    room = classroom_with_doe
    (room.tree / "numpy.py").write_text("raise SystemExit('imported')\n")
    (room.tree / "json.py").write_text("raise SystemExit('imported')\n")
    done = grade(
        "batch", ".", "--out", room.out, *WEAK, cwd=room.tree, env={"PYTHONPATH": str(ROOT), "PYTHONSAFEPATH": "1"}
    )
    assert done.returncode == 0, done.stderr
    assert set(room.rows()) == {"doe", "json", "numpy"}
