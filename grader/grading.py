"""The pipeline of one submission, spelled out once: read, run, judge, report.

The heavy parts (numpy, pydantic) are imported by the steps that need them, so that the child process, which is
started before, imports numpy meanwhile; work in which nothing is started needs neither numpy nor a child.
"""

import hashlib
import platform
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from grader import __version__
from grader.calls import Ended, Limits, Program, Run
from grader.course import Course, find_course
from grader.errors import CourseError, GraderError, UsageError
from grader.exercises import EXERCISES, asked_names, chosen_exercises, with_foundations
from grader.key.label import KeyLabel, read_label
from grader.sandbox import Engine, open_engine, run
from grader.submissions import (
    Asked,
    Definition,
    FunctionState,
    Submission,
    SubmittedFile,
    normal_forms,
    read_submission,
)

if TYPE_CHECKING:
    from grader.key.answer_key import AnswerKey
    from grader.report import Report


class GradingOptions(NamedTuple):
    """How to grade: which exercises (none: all), the limits, how much isolation is demanded."""

    exercises: tuple[str, ...] = ()
    limits: Limits = Limits()
    isolation: str | None = None


class Person(NamedTuple):
    """Whose work it is, as far as the caller knows."""

    student: str | None = None
    attempt: int | None = None
    late: Literal["yes", "no", "unknown"] = "unknown"


def grade_paths(
    paths: Sequence[Path],
    *,
    seed: int | None = None,
    course: Path | None = None,
    options: GradingOptions | None = None,
    engine: Engine | None = None,
) -> "Report":
    """Grade one person's work, found in `paths`, on the public probes of a seed.

    Parameters
    ----------
    paths : sequence of Path
        Files and folders; together they are one submission.
    seed : int, optional
        Draws other inputs, which needs the course's solutions; by default the frozen public key is used.
    course : Path, optional
        A folder with `solutions/` and `assignments/`.
    options : GradingOptions, optional
        Exercises, limits, isolation.
    engine : Engine, optional
        One that was started before; it stays open.

    Returns
    -------
    Report
        With `status` "grader_error" and no score where the grader failed.

    Raises
    ------
    UsageError, NothingToGradeError
        What was given cannot be read, or two files answer the same question differently.
    CourseError
        The answer key is missing or cannot be built.
    """
    chosen = options or GradingOptions()
    place = find_course(course)
    submission = read_submission(paths, read_asked(place), never_answers(place))
    refuse_conflicts(submission)
    if seed is None and not list_started(submission, chosen):
        return grade_unrun(submission, read_label(place.public_key), chosen)
    # The child imports NumPy while this process does.
    with nullcontext(engine) if engine is not None else open_engine(isolation=chosen.isolation) as running:
        return grade_submission(submission, obtain_key(place, seed), running, chosen)


def never_answers(course: Course) -> list[Path]:
    """Return the folders that are never anybody's answers: the known mistakes lie beside the solutions."""
    return [] if course.solutions is None else [course.solutions / "mistakes"]


def obtain_key(course: Course, seed: int | None) -> "AnswerKey":
    """Return the frozen public key, or build the key of another seed."""
    if seed is None:
        from grader.key.frozen import load_key

        return load_key(course.public_key)
    from grader.key.building import build_key

    return build_key(course, seed)


def read_asked(course: Course) -> Asked:
    """Return the asked-for names with the stubs that were shipped for them."""
    asked = asked_names()
    stems = {name: slug for slug, names in asked.items() for name in names}
    stubs: dict[str, str] = {}
    for slug, names in asked.items():
        path = course.stubs / f"{slug}.py"
        try:
            stubs |= normal_forms(path.read_text(encoding="utf-8"), names)
        except (OSError, SyntaxError, ValueError) as error:
            kind = type(error).__name__
            message = f"The stub {path.name} cannot be read ({kind}). Write it again with `grade stubs`."
            raise CourseError(message) from error
    return Asked(stems, stubs)


def refuse_conflicts(submission: Submission) -> None:
    """Raise `UsageError` where two edited files answer the same question differently: a person has to choose."""
    for definition in submission.definitions.values():
        if definition.state is FunctionState.CONFLICT:
            raise UsageError(definition.cause)


def mention_conflicts(submission: Submission) -> Submission:
    """Tell conflicts in the notes instead of refusing them: in a class nobody is there to choose."""
    causes = [d.cause for d in submission.definitions.values() if d.state is FunctionState.CONFLICT]
    return submission._replace(notes=tuple(dict.fromkeys([*submission.notes, *causes])))


def empty_submission(label: str, reason: str, asked: Asked, files: Sequence[SubmittedFile] = ()) -> Submission:
    """Return a submission without any answer, whose one note is the reason: it is graded like every other."""
    definitions = {name: Definition(name, FunctionState.MISSING) for name in asked.stems}
    return Submission(label, tuple(files), Program((), (), {}), definitions, (reason,), ())


def list_started(submission: Submission, options: GradingOptions) -> list[str]:
    """Return the asked-for functions that a person has written, those that can be called."""
    names = [function.name for exercise in chosen_exercises(options.exercises) for function in exercise.functions]
    return [name for name in names if submission.definitions[name].state is FunctionState.DEFINED]


def report_fault(
    submission: Submission, label: KeyLabel, options: GradingOptions, person: Person | None, error: str | Exception
) -> "Report":
    """Return the report of a submission that the grader failed on: no score, and a sentence on the fault."""
    said = error if isinstance(error, str) else _describe_fault(error)
    return _report(submission, label, options, person, error=said)


def grade_submission(
    submission: Submission,
    key: "AnswerKey",
    engine: Engine,
    options: GradingOptions,
    person: Person | None = None,
) -> "Report":
    """Run and judge one submission. Never raises for what a submission does; a fault of ours becomes the status."""
    started = list_started(submission, options)
    if not started:
        return grade_unrun(submission, key.label, options, person)
    from grader.judging.judge import judge

    try:
        answers = run(engine, submission.program, key.calls(with_foundations(started)), options.limits)
        everything = [function for exercise in EXERCISES.values() for function in exercise.functions]
        results = judge(chosen_exercises(options.exercises), key, submission.definitions, answers, everything)
    except Exception as error:  # noqa: BLE001 (whatever it is, it is ours, and never a student's zero)
        return report_fault(submission, key.label, options, person, error)
    return _report(submission, key.label, options, person, answers=answers, results=results)


def grade_unrun(
    submission: Submission, label: KeyLabel, options: GradingOptions, person: Person | None = None
) -> "Report":
    """Grade work in which nothing is started: it needs no process, no NumPy and no right answer."""
    from grader.judging.results import judge_unrun

    try:
        results = judge_unrun(chosen_exercises(options.exercises), submission.definitions)
    except Exception as error:  # noqa: BLE001 (as in `grade_submission`)
        return report_fault(submission, label, options, person, error)
    return _report(submission, label, options, person, results=results)


def _describe_fault(error: Exception) -> str:
    """Word a fault of ours in one line; a report names no folder of this machine."""
    if isinstance(error, GraderError):
        return str(error)
    # An OSError's text holds the whole path.
    reason = error.strerror if isinstance(error, OSError) else str(error).partition("\n")[0]
    said = f": {reason}" if reason else ""
    return f"The grader failed while judging this work: {type(error).__name__}{said}"


def _report(
    submission: Submission,
    label: KeyLabel,
    options: GradingOptions,
    person: Person | None,
    *,
    answers: Run | None = None,
    results: Sequence[Any] = (),
    error: str | None = None,
) -> "Report":
    from grader.report import FileRecord, GraderInfo, Report, SubmissionInfo

    who = person or Person()
    notes = (*submission.notes, *(_run_notes(answers, submission) if answers else ()))
    return Report(
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        status="graded" if error is None else "grader_error",
        error=error,
        grader=GraderInfo(
            version=__version__, python=platform.python_version(), numpy=_numpy_version(), platform=platform.system()
        ),
        seed=label.seed,
        key_digest=label.digest,
        receipt=make_receipt(submission, label.digest),
        submission=SubmissionInfo(
            student=who.student,
            attempt=who.attempt,
            late=who.late,
            path=submission.path,
            files=tuple(FileRecord(name=file.name, sha256=file.sha256) for file in submission.files),
            notes=tuple(dict.fromkeys(notes)),
        ),
        isolation=dict(answers.isolation) if answers else {},
        score=None if error is not None else sum(result.score for result in results),
        max_score=sum(exercise.max_score for exercise in chosen_exercises(options.exercises)),
        pending_score=sum(result.pending_score for result in results),
        exercises=tuple(results),
    )


def _numpy_version() -> str:
    loaded = sys.modules.get("numpy")
    if loaded is not None:
        return str(loaded.__version__)
    # Work that is not run needs no NumPy, and importing it would take longer than all the rest.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("numpy")
    except PackageNotFoundError:
        return "unknown"


def _run_notes(answers: Run, submission: Submission) -> list[str]:
    """Return what the run has to tell a person: placeholders, and code that failed without taking all along."""
    from grader.judging.endings import describe_load

    lost = (Ended.LOST, Ended.MISSING)
    alive = {name.partition("/")[0] for name, reply in answers.replies.items() if reply.ended not in lost}
    files = {submission.definitions[name].file for name in alive if name in submission.definitions}
    notes = list(answers.notes)
    for load in answers.loads:
        if load.cell is not None:
            notes.append(describe_load(load))
        elif load.file in files:
            advice = 'what was defined before that is judged. Such lines belong under `if __name__ == "__main__":`'
            notes.append(f"{describe_load(load).removesuffix('.')}; {advice}")
    return notes


def make_receipt(submission: Submission, key_digest: str) -> str:
    """Return the short hash over the submission's bytes, the key and the grader's version."""
    digest = hashlib.sha256(f"{__version__} {key_digest}".encode())
    for file in sorted(submission.files, key=lambda file: file.name):
        digest.update(f"{file.name}\0{file.sha256}\0".encode())
    text = digest.hexdigest()
    return "-".join(text[k : k + 4] for k in range(0, 12, 4))
