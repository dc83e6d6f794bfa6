"""Nothing is lost without a word: each reason beside mathematics is a flag, and a sentence for the student."""

import shutil
from dataclasses import replace

import pytest

from batch.conftest import QUICK, ROOT
from batch.synthetic import edit, make_notebook
from builders import POINTS
from grader.batch.summary import summarise
from grader.grading import grade_paths

SAMPLE = ROOT / "tests" / "samples" / "right-scripts"
PUBLIC = replace(QUICK, seed=None)
OTHER = "import numpy as np\n\n\ndef attention(Q, K, V):\n    return Q * 2, K * 3\n"


def copy_sample(folder):
    shutil.copytree(SAMPLE, folder)
    return folder


def add(folder, name, text):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def break_notebook(folder):
    texts = [text for stem, text in edit("right").items() if stem == "attention"]
    (folder / "attention.ipynb").write_bytes(make_notebook(texts)[:-40])


@pytest.fixture(scope="module")
def flagged(tmp_path_factory):
    """Return a graded class in which each work, but the first, has one reason to be looked at."""
    from batch.conftest import Classroom

    place = tmp_path_factory.mktemp("flagged")
    room = Classroom(place / "submissions", place / "results")
    room.tree.mkdir()
    texts = {path.stem: path.read_text() for path in SAMPLE.glob("*.py")}
    add(room.tree / "plain", "third_key.py", "def softmax(x, axis=-1):\n    return x\n")
    add(room.tree / "conflict", "third_key.py", texts["third_key"])
    add(room.tree / "conflict", "another.py", OTHER)
    add(room.tree / "old", "third_key.py", "# mine\n" + texts["third_key"].replace("weights", "shares"))
    add(room.tree / "old", "old/third_key.py", OTHER)
    add(room.tree / "stubs", "third_key.py", (ROOT / "assignments" / "third_key.py").read_text())
    break_notebook(room.tree / "stubs")
    add(room.tree / "large", "third_key.py", "#" * (5 * 1024 * 1024))
    add(room.tree / "large", "multi_head.py", "def head_scale(d_k, num_heads):\n    return 1\n")
    add(room.tree / "raises", "third_key.py", "raise RuntimeError('no')\n\n" + OTHER)
    add(
        room.tree / "misspelt",
        "third_key.py",
        "def softmax(x, axis=-1):\n    return x\n\n\n" + OTHER.replace("attention", "atention"),
    )
    (room.tree / "ill").mkdir()
    (room.tree / "ill" / "notes.txt").write_text("I was ill.\n")
    room.result = room.grade(replace(QUICK, exercises=("third_key",)))
    return room


@pytest.mark.parametrize(
    ("student", "flag"),
    [
        ("conflict", "conflict: attention"),
        ("old", "old-copy: attention"),
        ("stubs", "unreadable"),
        ("large", "too-large"),
        ("raises", "not-run: attention"),
        ("misspelt", "not-found: attention"),
        ("ill", "nothing-found"),
        ("plain", ""),
    ],
)
def test_a_reason_that_is_not_mathematics_is_a_flag(flagged, student, flag):
    assert flagged.rows()[student]["flags"] == flag


@pytest.mark.parametrize(
    ("student", "sentence"),
    [
        ("conflict", "is defined in third_key.py line"),
        ("old", "third_key.py counts, and not old/third_key.py, whose name says that it is an old copy"),
        ("stubs", "attention.ipynb"),
        ("large", "too large"),
        ("raises", "third_key.py could not be run: RuntimeError"),
        ("misspelt", "defines `atention`"),
    ],
)
def test_the_student_reads_what_happened_and_no_flag(flagged, student, sentence):
    assert sentence in " ".join((flagged.out / "students" / f"{student}.txt").read_text().split())
    assert '"flags": []' in (flagged.out / "students" / f"{student}.json").read_text()


def test_the_summary_begins_with_the_rows_to_look_at(flagged):
    first, second, *_ = summarise(flagged.result).splitlines()
    assert first.startswith("look at     7 of 8: conflict, ill, ")
    for reason in ("conflict in 1", "old-copy in 1", "too-large in 1", "unreadable in 1"):
        assert reason in second


def test_the_version_that_is_not_old_gets_its_points(flagged):
    assert flagged.rows()["old"]["third_key"] == f"{sum(POINTS['third_key'].values()):g}"


@pytest.mark.parametrize("student", ["old", "stubs", "large", "raises", "misspelt", "plain"])
def test_the_same_work_comes_out_alike_alone_and_in_a_batch(flagged, student):
    alone = grade_paths([flagged.tree / student], replace(PUBLIC, exercises=("third_key",)))
    (mine,) = alone.exercises
    (theirs,) = flagged.reports()[student]["exercises"]
    assert mine.score == theirs["score"]
    assert [check.flags for check in mine.checks] == [tuple(check["flags"]) for check in theirs["checks"]]


def test_equal_works_name_each_other_to_the_instructor_and_nobody_to_the_students(classroom):
    for student in ("dora", "zacharias"):
        copy_sample(classroom.tree / student)
    # In other files, and with other comments and docstrings, it is the same code.
    third = classroom.tree / "zacharias" / "third_key.py"
    third.write_text("# all mine\n" + third.read_text())
    third.rename(third.with_name("first.py"))
    classroom.hand_in("leak", "right")
    classroom.grade()
    rows = classroom.rows()
    assert (rows["dora"]["flags"], rows["zacharias"]["flags"]) == ("same-as:zacharias", "same-as:dora")
    assert rows["leak"]["flags"] == "model-answer"
    for student, other in (("dora", "zacharias"), ("zacharias", "dora"), ("leak", "dora")):
        for path in (classroom.out / "students").glob(f"{student}.*"):
            text = " ".join(path.read_text().split())
            assert "A person will look at that; it took no points." in text
            assert other not in text
            assert "same-as" not in text
            assert "prints" not in text
    assert rows["dora"]["automatic"] == rows["zacharias"]["automatic"]


def test_a_remark_stays_as_long_as_its_reason(classroom):
    for student in ("doe", "roe"):
        copy_sample(classroom.tree / student)
    classroom.grade()
    page = classroom.out / "students" / "doe.txt"
    before = page.read_bytes()
    assert b"A person will look" in before
    stamp = page.stat().st_mtime_ns
    assert classroom.grade().fresh == 0
    assert (page.read_bytes(), page.stat().st_mtime_ns) == (before, stamp)
    assert classroom.rows()["doe"]["flags"] == "same-as:roe"
    shutil.rmtree(classroom.tree / "roe")
    assert classroom.grade().fresh == 0
    assert b"A person will look" not in page.read_bytes()
    assert classroom.rows()["doe"]["flags"] == ""


def test_one_persons_own_report_holds_no_prints(tmp_path):
    from grader.report import dump_report

    copy_sample(tmp_path / "doe")
    assert '"prints"' not in dump_report(grade_paths([tmp_path / "doe"], PUBLIC))
