"""Grading a class, from the tree of submissions to the gradebook.

    collect the work, settle the key, skip what has a report, grade the rest on several workers, write what follows

The reports in the ledger are the truth; gradebook and list of skipped files are made from them at the end of each run.
"""

import csv
import io
import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from types import FrameType
from typing import Any

from grader.batch.collect import Skipped, Work
from grader.batch.ledger import put
from grader.batch.plan import BatchOptions, Plan, make_plan
from grader.batch.pool import Answer, Job, Pool
from grader.batch.process import Setup
from grader.batch.progress import Watcher
from grader.errors import SandboxError
from grader.exercises import EXERCISES
from grader.export.gradebook import NO_RESULT, Column, Row, guard, make_row, render_gradebook
from grader.feedback import FORMATS, View
from grader.frozen import freeze
from grader.grading import GradingOptions, Person, empty_submission, read_asked, report_fault
from grader.report import Report, dump_report
from grader.submissions import SubmittedFile

GRADEBOOK = "gradebook.csv"
SKIPPED = "skipped.csv"
EARLIER = "graded earlier, from other files or settings"
SLACK = 60.0  # seconds of reading and judging, beside what the student's code may take


@dataclass(frozen=True)
class Result:
    """How a batch came out: a row for each submission, in the order of the gradebook."""

    rows: tuple[Row, ...]
    skipped: tuple[Skipped, ...]
    hidden: bool
    fresh: int
    strangers: int
    interrupted: bool


def usable_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def grade_batch(options: BatchOptions, watcher: Watcher) -> Result:
    """Grade every submission in a tree.

    Parameters
    ----------
    options : BatchOptions
        Tree, folder for the results, and how to grade.
    watcher : Watcher
        Is told how it goes on.

    Returns
    -------
    Result
        After an interruption, too: what was done is kept.

    Raises
    ------
    UsageError, NothingToGradeError
        The tree cannot be read, or holds nobody's work.
    CourseError
        The answer key is missing or cannot be built.
    SandboxError
        Hidden inputs are to be used, and full isolation is not available.
    GraderError
        The results cannot be written, or no worker can be started.
    """
    plan = make_plan(options, watcher)
    works = plan.collection.works
    todo = [number for number, work in enumerate(works) if _is_due(work, plan)]
    watcher.begin(len(works), len(works) - len(todo))
    try:
        fresh, interrupted = _grade_all(todo, plan, watcher)
    finally:
        watcher.end()
    plan.ledger.refresh()
    rows = tuple(_make_row(work, plan) for work in works)
    put(options.out / GRADEBOOK, render_gradebook(rows, _columns(plan.terms.options)).encode())
    put(options.out / SKIPPED, _render_skipped(plan.collection.skipped).encode())
    strangers = plan.ledger.count_strangers(work.entry.student for work in works)
    return Result(rows, plan.collection.skipped, plan.hidden, fresh, strangers, interrupted)


def _is_due(work: Work, plan: Plan) -> bool:
    student = work.entry.student
    if plan.options.force:
        return True
    if plan.options.only_failed:
        return plan.ledger.find_fault(student) is not None or plan.ledger.find_any(student) is None
    return plan.ledger.find(student, plan.terms.make_key(work)) is None


def _grade_all(todo: Sequence[int], plan: Plan, watcher: Watcher) -> tuple[int, bool]:
    """Grade what is due; return how many got a report, and whether it was interrupted."""
    if not todo:
        return 0, False
    works = plan.collection.works
    cores = usable_cores()
    if (plan.options.jobs or 0) > cores:
        watcher.note(f"--jobs {plan.options.jobs} on {cores} cores: calls take longer, and time limits come sooner.")
    pool = Pool(_make_setup(plan), min(plan.options.jobs or cores, len(todo)))
    fresh = 0
    with _interruptible(pool, watcher) as interruptions:
        try:
            for answer in pool.grade([Job(number, _make_message(works[number])) for number in todo]):
                kept = _keep(works[answer.number], answer, plan)
                fresh += kept
                watcher.step(works[answer.number].entry.student, answer.seconds, failed=not kept)
        except SandboxError as error:
            raise _refuse(error, plan) from error
    for loss in dict.fromkeys(pool.losses):
        watcher.note(f"{loss}.")
    return fresh, bool(interruptions)


@contextmanager
def _interruptible(pool: Pool, watcher: Watcher) -> Iterator[list[float]]:
    """Let the first Ctrl-C finish what runs, and the second one end it."""
    heard: list[float] = []

    def hear(_number: int, _frame: FrameType | None) -> None:
        heard.append(time.monotonic())
        if len(heard) == 1:
            pool.drain()
            with suppress(RuntimeError):  # the signal came in the middle of another note
                watcher.note("interrupted: what runs is finished, nothing else is begun; once more ends it now.")
        else:
            pool.kill()

    if threading.current_thread() is not threading.main_thread():
        yield heard
        return
    before = signal.signal(signal.SIGINT, hear)
    try:
        yield heard
    finally:
        signal.signal(signal.SIGINT, before)


def _refuse(error: SandboxError, plan: Plan) -> SandboxError:
    if not plan.hidden or plan.terms.options.isolation != "full":
        return error
    command = f"grade batch {plan.options.tree} --out {plan.options.out} --isolation weak"
    return SandboxError(
        f"hidden inputs need full isolation, which could not be had: {error}. `{command}` grades all the same; "
        "what is lost: student code can then read the files of this machine, the hidden seed and the work of others "
        "among them."
    )


def _make_setup(plan: Plan) -> Setup:
    options, course = plan.terms.options, plan.course
    message = {
        "isolation": options.isolation,
        "exercises": list(options.exercises),
        "limits": asdict(options.limits),
        "stubs": str(course.stubs.resolve()),
        "solutions": None if course.solutions is None else str(course.solutions.resolve()),
        "public_key": str(course.public_key),
        "leave_out": [str(plan.options.out.resolve())],
    }
    limits = options.limits
    return Setup(message, freeze(plan.key), limits.submission + limits.load + SLACK)


def _make_message(work: Work) -> dict[str, Any]:
    entry = work.entry
    return {
        "student": entry.student,
        "attempt": entry.attempt,
        "late": entry.late,
        "label": entry.label,
        "paths": [str(path.absolute()) for path in entry.paths],
        "files": [[file.name, file.sha256] for file in work.files],
    }


def _keep(work: Work, answer: Answer, plan: Plan) -> bool:
    """Write what came of a submission; return whether it is a result."""
    student, said = work.entry.student, answer.message
    if said is None:
        plan.ledger.store_fault(student, dump_report(_report_loss(work, answer.why, plan)).encode())
        return False
    if not said["graded"]:
        plan.ledger.store_fault(student, said["report"].encode())
        return False
    # The files may have changed since they were hashed: what was graded decides the key.
    files = [SubmittedFile(name, sha256) for name, sha256 in said["files"]]
    plan.ledger.store_shown(student, said["student_json"], said["student_text"])
    plan.ledger.store(student, plan.terms.make_key(work, files), said["report"].encode())
    return True


def _report_loss(work: Work, why: str, plan: Plan) -> Report:
    entry = work.entry
    nothing = empty_submission(entry.label, "The work was not judged.", read_asked(plan.course), work.files)
    person = Person(entry.student, entry.attempt, entry.late)
    return report_fault(nothing, plan.key, plan.terms.options, person, f"The grader failed on this work twice: {why}.")


def _make_row(work: Work, plan: Plan) -> Row:
    """Return the row of a submission from what is on the disk, and mend what the student gets to see."""
    entry, ledger = work.entry, plan.ledger
    report = ledger.find(entry.student, plan.terms.make_key(work))
    flags: tuple[str, ...] = ()
    if report is None:
        report = ledger.find_fault(entry.student)
    if report is None:
        report, flags = ledger.find_any(entry.student), (EARLIER,)
    if report is None:
        return Row(entry.student, NO_RESULT, entry.attempt, entry.late, entry.label)
    if report.status == "graded" and not ledger.is_shown(entry.student):
        shown = report.for_student()
        ledger.store_shown(entry.student, dump_report(shown), FORMATS["text"](shown, View()))
    return replace(make_row(report, entry.student, *flags), path=entry.label)


def _columns(options: GradingOptions) -> list[Column]:
    slugs = options.exercises or tuple(EXERCISES)
    return [Column(slug, written=EXERCISES[slug].pending_score > 0) for slug in slugs]


def _render_skipped(skipped: Sequence[Skipped]) -> str:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(["student", "file", "reason"])
    writer.writerows([guard(cell) for cell in (one.student, one.file, one.reason)] for one in skipped)
    return stream.getvalue()
