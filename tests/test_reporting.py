"""What a report says of a fault and of its surroundings, without a person, a machine or a folder in it."""

import sys
from importlib.metadata import PackageNotFoundError

import numpy as np
import pytest

from grader import reporting
from grader.course import find_course
from grader.errors import SandboxError
from grader.exercises import EXERCISES, chosen_exercises
from grader.judging.results import judge_unrun
from grader.key.label import KeyLabel
from grader.reporting import Person, Subject, make_receipt, make_report, report_fault
from grader.settings import Settings
from grader.submissions import SubmittedFile
from grader.submissions.asking import read_asked
from grader.submissions.states import empty_submission

KEY = KeyLabel(3, "ab" * 32)
FILES = (SubmittedFile("a.py", "1" * 64), SubmittedFile("b.py", "2" * 64))


@pytest.fixture(scope="module")
def nothing():
    """Return work without any answer."""
    return empty_submission("doe", "There is nothing here.", read_asked(find_course()), FILES)


def test_a_report_tells_whose_work_by_which_key_under_which_settings(nothing):
    settings = Settings(exercises=("third_key",))
    results = judge_unrun(chosen_exercises(settings.exercises), nothing.definitions)
    report = make_report(Subject(nothing, KEY, settings, Person("doe", 2, "yes")), results)
    assert (report.status, report.score, report.max_score) == ("graded", 0, EXERCISES["third_key"].max_score)
    assert (report.seed, report.key_digest) == KEY
    about = report.submission
    assert (about.student, about.attempt, about.late, about.path) == ("doe", 2, "yes", "doe")
    assert about.notes == ("There is nothing here.",)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("The disk was full.", "The disk was full."),
        (SandboxError("the child did not start"), "the child did not start"),
        (RuntimeError("one\ntwo"), "The grader failed while judging this work: RuntimeError: one"),
        (ZeroDivisionError(), "The grader failed while judging this work: ZeroDivisionError"),
        (
            FileNotFoundError(2, "No such file", "/home/doe/x"),
            "The grader failed while judging this work: FileNotFoundError: No such file",
        ),
    ],
)
def test_a_fault_is_one_line_without_a_score_or_a_folder(nothing, fault, said):
    report = report_fault(Subject(nothing, KEY, Settings()), fault)
    assert (report.status, report.score, report.exercises) == ("grader_error", None, ())
    assert report.max_score == sum(exercise.max_score for exercise in EXERCISES.values())
    assert report.error == said


def test_a_receipt_follows_files_and_key_but_not_the_order_of_the_files(nothing):
    receipt = make_receipt(nothing, KEY.digest)
    assert make_receipt(nothing._replace(files=FILES[::-1]), KEY.digest) == receipt
    assert make_receipt(nothing._replace(files=FILES[:1]), KEY.digest) != receipt
    assert make_receipt(nothing, "another") != receipt


def test_an_installation_without_metadata_is_graded_all_the_same(monkeypatch):
    def missing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", missing)
    assert reporting._numpy_version() == np.__version__
    monkeypatch.delitem(sys.modules, "numpy")
    assert reporting._numpy_version() == "unknown"
