"""Grading a class, from the tree of submissions to the gradebook.

    collect the work, settle the key, skip what has a report, grade the rest on several workers, write what follows

The reports in the ledger are the truth; gradebook and list of skipped files are made from them at the end of each run.
"""

import os
import signal
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from grader.batch.collect import Skipped, Work
from grader.batch.frames import pack_path
from grader.batch.interruption import heed_signals, tell_end
from grader.batch.ledger import put
from grader.batch.plan import BatchOptions, Plan, make_plan
from grader.batch.pool import Answer, Job, Pool
from grader.batch.process import Setup
from grader.batch.progress import Watcher
from grader.batch.rows import choose_columns, find_row, render_skipped
from grader.batch.seeds import keep_seed
from grader.errors import SandboxError
from grader.export.gradebook import Row, render_gradebook
from grader.feedback.figures import count
from grader.grading import Person, empty_submission, report_fault
from grader.key.frozen import freeze
from grader.report import Report, dump_report
from grader.submissions import SubmittedFile

GRADEBOOK = "gradebook.csv"
SKIPPED = "skipped.csv"
SLACK = 60.0  # seconds of reading and judging, beside what the student's code may take


@dataclass(frozen=True)
class Result:
    """How a batch came out: a row for each submission, in the order of the gradebook.

    `unopened` names what is somebody's and was not opened; `stopped_by` is the signal that ended it before its end.
    """

    rows: tuple[Row, ...]
    skipped: tuple[Skipped, ...]
    unopened: tuple[str, ...]
    hidden: bool
    fresh: int
    strangers: int
    stopped_by: signal.Signals | None


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
        The tree cannot be read, or holds nobody's work; the results have no place.
    CourseError
        A stub is broken; the answer key is missing, cannot be built, or belongs to another course.
    SandboxError
        Hidden inputs are to be used, and full isolation is not available.
    GraderError
        The results cannot be written, or no worker can be started.
    """
    plan = make_plan(options, watcher)
    works = plan.collection.works
    opened = [number for number, work in enumerate(works) if work.entry.paths]
    todo = [number for number in opened if _is_due(works[number], plan)]
    if todo and plan.hidden and options.seed is not None:
        keep_seed(options.out, options.seed)
    if replaced := sum(_was_graded_otherwise(works[number], plan) for number in todo):
        verb = "was" if replaced == 1 else "were"
        watcher.note(
            f"{count(replaced, 'report')} {verb} graded with other settings and will be replaced; "
            "--out DIR with another folder keeps both."
        )
    watcher.begin(len(opened), len(opened) - len(todo))
    try:
        fresh, stopped_by = _grade_all(todo, plan, watcher)
    finally:
        watcher.end()
    plan.ledger.refresh()
    rows = tuple(find_row(work, plan) for work in works)
    put(options.out / SKIPPED, render_skipped(plan.collection.skipped).encode())
    # The last of all: where writing fails, nobody takes an older gradebook for this one.
    put(options.out / GRADEBOOK, render_gradebook(rows, choose_columns(plan.terms.options.exercises, rows)).encode())
    strangers = plan.ledger.count_strangers(work.entry.student for work in works)
    unopened = tuple(name for work in works for name, _ in work.entry.unopened)
    return Result(rows, plan.collection.skipped, unopened, plan.hidden, fresh, strangers, stopped_by)


def _is_due(work: Work, plan: Plan) -> bool:
    student = work.entry.student
    if plan.options.force:
        return True
    if plan.options.only_failed:
        return plan.ledger.find_fault(student) is not None or plan.ledger.find_any(student) is None
    return plan.ledger.find(student, plan.terms.make_key(work)) is None


def _was_graded_otherwise(work: Work, plan: Plan) -> bool:
    """Tell whether the same work has a report, from another key or other settings."""
    if plan.ledger.find(work.entry.student, plan.terms.make_key(work)) is not None:
        return False
    report = plan.ledger.find_any(work.entry.student)
    return report is not None and {(file.name, file.sha256) for file in report.submission.files} == {
        (file.name, file.sha256) for file in work.files
    }


def _grade_all(todo: Sequence[int], plan: Plan, watcher: Watcher) -> tuple[int, signal.Signals | None]:
    """Grade what is due; return how many got a report, and the signal that ended it before its end."""
    if not todo:
        return 0, None
    works = plan.collection.works
    cores = usable_cores()
    if (plan.options.jobs or 0) > cores:
        on = count(cores, "core")
        watcher.note(f"--jobs {plan.options.jobs} on {on}: calls take longer, and time limits come sooner.")
    pool = Pool(_make_setup(plan), min(plan.options.jobs or cores, len(todo)))
    fresh = 0
    jobs = [Job(number, _make_message(works[number])) for number in todo]
    with heed_signals(pool, watcher) as heard:
        try:
            with closing(pool.grade(jobs)) as answers:
                for answer in answers:
                    kept = _keep(works[answer.number], answer, plan)
                    fresh += kept
                    watcher.step(works[answer.number].entry.student, answer.seconds, failed=not kept)
        except SandboxError as error:
            raise _refuse(error, plan) from error
    for loss in dict.fromkeys(pool.losses):
        watcher.note(f"{loss}.")
    return fresh, tell_end(heard)


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
        "limits": options.limits._asdict(),
        "stubs": pack_path(course.stubs),
        "solutions": None if course.solutions is None else pack_path(course.solutions),
        "public_key": pack_path(course.public_key),
        "leave_out": [pack_path(plan.options.out)],
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
        "paths": [pack_path(path) for path in entry.paths],
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
    nothing = empty_submission(entry.label, "The work was not judged.", plan.asked, work.files)
    person = Person(entry.student, entry.attempt, entry.late)
    return report_fault(
        nothing, plan.key.label, plan.terms.options, person, f"The grader failed on this work twice: {why}."
    )
