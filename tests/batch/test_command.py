"""`grade batch` as a person calls it: exit codes, streams, refusals."""

import os
import sys

import pytest

from batch.conftest import ROOT
from builders import automatic_points
from grader.submissions.layouts import LAYOUTS

WEAK = ("--isolation", "weak", "--seed", "77")


@pytest.fixture
def classroom_with_doe(classroom):
    classroom.hand_in("doe", "no_scale")
    return classroom


def put_site(folder, text):
    """Return an environment in which every Python process of the command begins with this."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(text)
    return {"PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}


def test_a_graded_class_ends_with_zero_whatever_the_points(grade, classroom_with_doe):
    room = classroom_with_doe
    done = grade("batch", room.tree, "--out", room.out, *WEAK)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\nsubmissions 1, 1 graded now" in done.stdout


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("missing/", "--out", "out"), 2, "`missing/` does not exist"),
        ((".", "--out", "."), 2, "is the folder of the submissions"),
        (("doe.py", "--out", "out"), 2, "doe.py is neither a folder nor a zip file"),
        ((".",), 2, "--out"),
        ((".", "--out", "out", "--force", "--only-failed"), 2, "Give one of them"),
        ((".", "--out", "out", "--jobs", "0"), 2, "--jobs"),
        ((".", "--out", "out", "--exercise", "nonsense"), 2, "not an exercise"),
        ((".", "--out", "out", "--layout", "nonsense"), 2, "--layout"),
        ((".", "--out", "out", "--exit-zero"), 2, "--exit-zero"),
        (("empty", "--out", "out"), 5, "holds no student's work"),
        ((".", "--out", "doe.py/out"), 2, "cannot be written to"),
        (("wrap", "--out", "out"), 2, "Did you mean wrap/class?"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(grade, tmp_path, words, code, sentence):
    (tmp_path / "doe.py").write_text("x = 1\n")
    (tmp_path / "empty").mkdir()
    for student in ("doe", "roe"):
        (tmp_path / "wrap" / "class" / student).mkdir(parents=True)
        (tmp_path / "wrap" / "class" / student / "a.py").write_text("x = 1\n")
    done = grade("batch", *words, cwd=tmp_path)
    assert done.returncode == code
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


def test_a_submission_without_a_result_ends_with_three_and_the_reason(grade, classroom_with_doe, tmp_path):
    room = classroom_with_doe
    room.hand_in("roe", "right")
    (room.tree / "poe.zip").write_bytes(b"PK")
    env = put_site(
        tmp_path / "site",
        "import grader.submissions as room\n"
        "read = room.read_submission\n"
        "def refuse(paths, *more):\n"
        "    if paths[0].name == 'roe':\n"
        "        raise OSError(5, 'Input/output error')\n"
        "    return read(paths, *more)\n"
        "room.read_submission = refuse\n",
    )
    done = grade("batch", room.tree, "--out", room.out, *WEAK, env=env)
    assert done.returncode == 3, done.stderr
    for part in ("no result   2: poe, roe", "not opened  poe.zip", "Input/output error", ", faults/"):
        assert part in done.stdout
    rows = room.rows()
    statuses = {student: row["status"] for student, row in rows.items()}
    assert statuses == {"doe": "graded", "poe": "no_result", "roe": "grader_error"}
    assert rows["roe"]["total"] == rows["poe"]["total"] == ""
    assert "Input/output error" in rows["roe"]["flags"]
    assert rows["poe"]["flags"] == "poe.zip: an archive, which is not opened; unpack it first"


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_links_that_lead_nowhere_in_a_students_folder_are_no_fault_of_ours(grade, classroom_with_doe):
    room = classroom_with_doe
    (room.tree / "roe").mkdir()
    (room.tree / "roe" / "third_key.py").symlink_to("third_key.py")
    (room.tree / "roe" / "multi_head.py").symlink_to("nowhere.py")
    done = grade("batch", room.tree, "--out", room.out, *WEAK)
    assert done.returncode == 0, done.stdout
    assert room.rows()["roe"]["status"] == "nothing_to_grade"


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no such modes there")
def test_a_folder_that_may_not_be_read_has_a_row_with_the_reason(grade, classroom_with_doe):
    room = classroom_with_doe
    room.hand_in("roe", "right")
    (room.tree / "roe").chmod(0)
    try:
        if os.access(room.tree / "roe", os.R_OK):
            pytest.skip("this user may read everything")
        assert grade("batch", room.tree, "--out", room.out, *WEAK).returncode == 3
    finally:
        (room.tree / "roe").chmod(0o700)
    assert "cannot be read (Permission denied)" in room.rows()["roe"]["flags"]


def test_a_class_without_any_answer_ends_with_five_and_a_question(grade, classroom):
    for student in ("doe", "roe"):
        classroom.hand_in(student, "nothing")
    done = grade("batch", classroom.tree, "--out", classroom.out, *WEAK)
    assert done.returncode == 5
    assert "Is this the right folder?" in done.stderr
    assert {row["status"] for row in classroom.rows().values()} == {"nothing_to_grade"}


def test_a_broken_stub_is_told_as_for_one_persons_work(grade, classroom_with_doe, checkout):
    room = classroom_with_doe
    (checkout / "assignments" / "third_key.py").write_text("def softmax(:\n")
    one = grade(room.tree / "doe", "--course", checkout, "--no-report")
    done = grade("batch", room.tree, "--out", room.out, "--course", checkout, *WEAK)
    assert (done.returncode, one.returncode) == (4, 4)
    assert done.stderr == one.stderr
    assert not room.out.exists()


def test_a_course_that_the_frozen_key_does_not_belong_to_is_refused(grade, classroom_with_doe, checkout):
    room = classroom_with_doe
    path = checkout / "solutions" / "third_key.py"
    path.write_text(path.read_text() + "\n\nANOTHER = 1\n")
    done = grade("batch", room.tree, "--out", room.out, "--course", checkout, *WEAK)
    assert done.returncode == 4
    assert f"Freeze it again with `grade key --course {checkout}`" in done.stderr
    assert not room.out.exists()


def test_the_help_tells_what_isolation_means_for_a_class(grade):
    text = " ".join(grade("batch", "--help").stdout.split())
    assert "full (default with hidden inputs) refuses a system that cannot hide files; weak accepts it." in text


def test_the_help_names_every_layout_and_the_one_that_is_used(grade):
    text = " ".join(grade("batch", "--help").stdout.split())
    assert f"--layout [{'|'.join(['auto', *LAYOUTS])}]" in text
    assert "[default: auto]" in text


@pytest.mark.slow
def test_a_layout_is_reachable_as_soon_as_it_has_a_row(grade, classroom, tmp_path):
    classroom.hand_in("doe", "right")
    env = put_site(
        tmp_path / "site",
        "import dataclasses, types\n"
        "import grader.submissions.layouts as room\n"
        "def arrange(tree, leave_out, handed_out):\n"
        "    found = room.LAYOUTS['plain'](tree, leave_out, handed_out)\n"
        "    entries = tuple(dataclasses.replace(one, student=one.student.upper()) for one in found.entries)\n"
        "    return dataclasses.replace(found, entries=entries)\n"
        "room.LAYOUTS = types.MappingProxyType({**room.LAYOUTS, 'loud': arrange})\n",
    )
    room = classroom
    words = ("batch", room.tree, "--out", room.out, *WEAK, "--exercise", "third_key")
    assert grade(*words, "--layout", "loud", env=env).returncode == 0
    assert list(room.rows()) == ["DOE"]
    assert grade(*words, env=env).returncode == 0
    assert list(room.rows()) == ["doe"]


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes there")
def test_names_of_files_survive_a_locale_that_cannot_spell_them(grade, c_locale, classroom):
    classroom.hand_in("Zoë 🎓", "right")
    done = grade("batch", classroom.tree, "--out", classroom.out, *WEAK, env=c_locale)
    assert done.returncode == 0, done.stderr
    (row,) = classroom.rows().values()
    assert (row["status"], row["automatic"], row["flags"]) == ("graded", f"{automatic_points():g}", "model-answer")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere isolation is weak anyway")
def test_hidden_inputs_without_full_isolation_are_refused_with_the_way_out(grade, classroom_with_doe, tmp_path):
    # What a system without Landlock and seccomp does, in every process of the command.
    env = put_site(
        tmp_path / "site",
        "from grader.sandbox.zygote import ZygoteEngine\nZygoteEngine.__init__.__kwdefaults__['confine'] = False\n",
    )
    room = classroom_with_doe
    done = grade("batch", room.tree, "--out", room.out, "--seed", "77", env=env)
    assert done.returncode == 3
    for part in (
        "landlock",
        "seccomp",
        f"`grade batch {room.tree} --out {room.out} --isolation weak`",
        "student code can then read the files of this machine, among them the hidden seed",
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
