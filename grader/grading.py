"""The pipeline of one submission, from top to bottom: read the work, run it, judge what it gave, report.

The heavy parts (NumPy, pydantic) are imported by the steps that need them, so that the child process, which is started
before, imports NumPy meanwhile. Work in which nothing is started needs neither NumPy nor a child.
"""

from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from grader.course import Course, find_course
from grader.exercises import EXERCISES, chosen_exercises, with_foundations
from grader.key.label import read_label
from grader.reporting import Person, Subject, make_report, report_fault
from grader.sandbox import Engine, open_engine, run
from grader.settings import Settings
from grader.submissions import Submission, read_submission
from grader.submissions.asking import read_asked
from grader.submissions.states import list_started, refuse_conflicts

if TYPE_CHECKING:
    from grader.key.answer_key import AnswerKey
    from grader.report import Report


def grade_paths(paths: Sequence[Path], settings: Settings = Settings(), *, engine: Engine | None = None) -> "Report":
    """Grade one person's work, found in `paths`, on the public inputs or on those of a chosen seed.

    Parameters
    ----------
    paths : sequence of Path
        Files and folders; together they are one submission.
    settings : Settings
        Exercises, limits, isolation, seed, course. A seed needs the course's solutions.
    engine : Engine, optional
        One that was started before; it stays open.

    Returns
    -------
    Report
        With `status` "grader_error" and no score where the grader failed.

    Raises
    ------
    UsageError, NothingToGradeError
        The work cannot be read or is not there, or two files answer the same question differently.
    CourseError
        The answer key is missing or cannot be built.
    """
    course = find_course(settings.course)
    submission = read_submission(paths, read_asked(course), course.never_answers)
    refuse_conflicts(submission)
    if settings.seed is None and not list_started(submission, chosen_exercises(settings.exercises)):
        return _grade_unrun(Subject(submission, read_label(course.public_key), settings))
    with nullcontext(engine) if engine is not None else open_engine(isolation=settings.isolation) as running:
        return grade_submission(submission, _obtain_key(course, settings.seed), running, settings)


def grade_submission(
    submission: Submission, key: "AnswerKey", engine: Engine, settings: Settings, person: Person = Person()
) -> "Report":
    """Run and judge one submission. Never raise for what a submission does; a fault of ours becomes the status."""
    subject = Subject(submission, key.label, settings, person)
    exercises = chosen_exercises(settings.exercises)
    started = list_started(submission, exercises)
    if not started:
        return _grade_unrun(subject)
    from grader.judging.judge import judge
    from grader.judging.verdicts import choose_further

    everything = [function for exercise in EXERCISES.values() for function in exercise.functions]
    names = with_foundations(started)
    further = partial(choose_further, names, everything, key)
    try:
        given = run(engine, submission.program, key.first_calls(names), settings.limits, further)
        results = judge(exercises, key, submission.definitions, given, everything)
    except Exception as error:  # noqa: BLE001 (whatever it is, it is ours, and never a student's zero)
        return report_fault(subject, error)
    return make_report(subject, results, given)


def _grade_unrun(subject: Subject) -> "Report":
    """Grade work in which nothing is started: it needs no process, no NumPy and no right answer."""
    from grader.judging.results import judge_unrun

    try:
        results = judge_unrun(chosen_exercises(subject.settings.exercises), subject.submission.definitions)
    except Exception as error:  # noqa: BLE001 (as in `grade_submission`)
        return report_fault(subject, error)
    return make_report(subject, results)


def _obtain_key(course: Course, seed: int | None) -> "AnswerKey":
    """Return the frozen public key, or build the key of another seed."""
    if seed is None:
        from grader.key.frozen import load_key

        return load_key(course.public_key)
    from grader.key.building import build_key

    return build_key(course, seed)
