"""Whole submissions by the states of their functions, and the names that everybody is asked for."""

import shutil

import pytest

from grader.course import find_course
from grader.errors import CourseError, UsageError
from grader.exercises import EXERCISES, asked_names, chosen_exercises
from grader.submissions import FunctionState, read_submission
from grader.submissions.asking import read_asked
from grader.submissions.states import empty_submission, list_started, mention_conflicts, refuse_conflicts

ONE = "def softmax(x, axis=-1):\n    return x\n"
OTHER = "def softmax(x, axis=-1):\n    return -x\n"


@pytest.fixture(scope="module")
def asked():
    return read_asked(find_course())


@pytest.fixture
def read(asked, tmp_path):
    """Return a function that reads files with these texts as one submission."""

    def run(**texts):
        for stem, text in texts.items():
            (tmp_path / f"{stem}.py").write_text(text, encoding="utf-8")
        return read_submission([tmp_path], asked)

    return run


def test_every_asked_for_name_has_its_exercise_and_its_stub(asked):
    names = [name for names in asked_names().values() for name in names]
    assert list(asked.stems) == names
    assert set(asked.stubs) <= set(names)
    assert "softmax" in asked.stubs


@pytest.mark.parametrize("text", [None, "def softmax(:\n"])
def test_a_stub_that_cannot_be_read_is_named(tmp_path, text):
    course = find_course()
    shutil.copytree(course.stubs, tmp_path / "assignments")
    broken = tmp_path / "assignments" / "multi_head.py"
    broken.unlink() if text is None else broken.write_text(text, encoding="utf-8")
    with pytest.raises(CourseError, match=r"stub multi_head\.py cannot be read .*`grade stubs`"):
        read_asked(course._replace(stubs=broken.parent))


def test_stubs_are_not_started_and_an_edited_function_is(asked, read):
    everything = list(EXERCISES.values())
    assert list_started(read_submission([find_course().stubs], asked), everything) == []
    begun = read(third_key=ONE)
    assert list_started(begun, everything) == ["softmax"]
    assert list_started(begun, chosen_exercises(["multi_head"])) == []


def test_one_person_has_to_choose_between_two_answers(read):
    submission = read(a=ONE, b=OTHER)
    with pytest.raises(UsageError, match=r"a\.py.*b\.py"):
        refuse_conflicts(submission)
    refuse_conflicts(read(b=ONE))


def test_in_a_class_two_answers_are_a_note(read):
    submission = read(a=ONE, b=OTHER)
    (note,) = set(mention_conflicts(submission).notes) - set(submission.notes)
    assert "a.py" in note
    assert "b.py" in note
    assert mention_conflicts(mention_conflicts(submission)) == mention_conflicts(submission)


def test_an_empty_submission_misses_every_name_and_says_why(asked):
    submission = empty_submission("doe", "The folder is empty.", asked)
    assert {definition.state for definition in submission.definitions.values()} == {FunctionState.MISSING}
    assert list(submission.definitions) == list(asked.stems)
    assert (submission.path, submission.notes, submission.program.units) == ("doe", ("The folder is empty.",), ())
