"""Grade a class, from the tree of submissions to the gradebook.

    settle the terms, skip submissions that have a report, grade the rest on several workers, write the gradebook

The reports in the ledger are the truth; gradebook and list of skipped files are made from them at the end of each run.
"""

import os
import signal
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from grader.batch.collect import HandIn, Skipped
from grader.batch.interruption import heed_signals, tell_end
from grader.batch.ledger import put
from grader.batch.pool import TRIES, Finished, Job, Pool
from grader.batch.process import Setup
from grader.batch.progress import Watcher
from grader.batch.rows import choose_columns, find_row, render_skipped
from grader.batch.seeds import keep_seed
from grader.batch.terms import Batch, Terms, settle_terms
from grader.errors import IsolationError
from grader.export.gradebook import Row, render_gradebook
from grader.feedback.figures import count
from grader.files import pack_path
from grader.key.frozen import freeze
from grader.report import Report, dump_report
from grader.reporting import Person, Subject, report_fault
from grader.settings import Settings
from grader.submissions import SubmittedFile
from grader.submissions.states import empty_submission

GRADEBOOK = "gradebook.csv"
SKIPPED = "skipped.csv"
SLACK = 60.0  # seconds of reading and judging, beside the time that the student's code may take


@dataclass(frozen=True)
class Result:
    """How a batch came out: a row for each submission, in the order of the gradebook.

    `unopened` names files and folders that are somebody's and were not opened; `stopped_by` is the signal that ended
    the run before its end.
    """

    rows: tuple[Row, ...]
    skipped: tuple[Skipped, ...]
    unopened: tuple[str, ...]
    hidden: bool
    fresh: int
    strangers: int
    stopped_by: signal.Signals | None


def grade_batch(batch: Batch, settings: Settings, watcher: Watcher) -> Result:
    """Grade every submission in a tree.

    Parameters
    ----------
    batch : Batch
        Tree, folder for the results, and which submissions are due.
    settings : Settings
        How to grade.
    watcher : Watcher
        Is told how the batch goes on.

    Returns
    -------
    Result
        After an interruption, too: reports that were finished before it are kept.

    Raises
    ------
    UsageError, NothingToGradeError
        The tree cannot be read, or holds nobody's work; the results have no place.
    CourseError
        A stub is broken; the answer key is missing, cannot be built, or belongs to another course.
    IsolationError
        Hidden inputs are to be used, and full isolation is not available.
    GraderError
        The results cannot be written, or no worker can be started.
    """
    terms = settle_terms(batch, settings, watcher)
    hand_ins = terms.collection.hand_ins
    opened = [number for number, hand_in in enumerate(hand_ins) if hand_in.entry.paths]
    due = [number for number in opened if _is_due(hand_ins[number], terms)]
    if due and terms.hidden and settings.seed is not None:
        keep_seed(batch.out, settings.seed)
    _tell_replaced([hand_ins[number] for number in due], terms, watcher)
    watcher.begin(len(opened), len(opened) - len(due))
    try:
        fresh, stopped_by = _grade_all(due, terms, watcher)
    finally:
        watcher.end()
    return _conclude(terms, fresh, stopped_by)


def _is_due(hand_in: HandIn, terms: Terms) -> bool:
    student = hand_in.entry.student
    if terms.batch.force:
        return True
    if terms.batch.only_failed:
        return terms.ledger.find_fault(student) is not None or terms.ledger.find_any(student) is None
    return terms.ledger.find(student, terms.make_stamp(hand_in)) is None


def _tell_replaced(due: Sequence[HandIn], terms: Terms, watcher: Watcher) -> None:
    if replaced := sum(_was_graded_otherwise(hand_in, terms) for hand_in in due):
        verb = "was" if replaced == 1 else "were"
        watcher.note(
            f"{count(replaced, 'report')} {verb} graded with other settings and will be replaced; "
            "--out DIR with another folder keeps both."
        )


def _was_graded_otherwise(hand_in: HandIn, terms: Terms) -> bool:
    """Return whether the same work has a report, from another key or other settings."""
    if terms.ledger.find(hand_in.entry.student, terms.make_stamp(hand_in)) is not None:
        return False
    report = terms.ledger.find_any(hand_in.entry.student)
    return report is not None and {(file.name, file.sha256) for file in report.submission.files} == {
        (file.name, file.sha256) for file in hand_in.files
    }


def _grade_all(due: Sequence[int], terms: Terms, watcher: Watcher) -> tuple[int, signal.Signals | None]:
    """Grade submissions by their numbers; return how many got a report, and the signal that ended it before its end."""
    if not due:
        return 0, None
    hand_ins, wanted = terms.collection.hand_ins, terms.batch.jobs
    cores = _usable_cores()
    if wanted is not None and wanted > cores:
        on = count(cores, "core")
        watcher.note(f"--jobs {wanted} on {on}: each work takes longer, and all of them take no less time.")
    pool = Pool(_make_setup(terms), min(wanted or cores, len(due)))
    fresh = 0
    jobs = [Job(number, _make_message(hand_ins[number])) for number in due]
    with heed_signals(pool, watcher) as heard:
        try:
            with closing(pool.grade(jobs)) as ends:
                for finished in ends:
                    kept = _keep(hand_ins[finished.number], finished, terms)
                    fresh += kept
                    watcher.step(hand_ins[finished.number].entry.student, finished.seconds, failed=not kept)
        except IsolationError as error:
            raise _refuse(error, terms) from error
    for loss in dict.fromkeys(pool.losses):
        watcher.note(f"{loss}.")
    return fresh, tell_end(heard)


def _usable_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _refuse(error: IsolationError, terms: Terms) -> IsolationError:
    if not terms.hidden or terms.settings.isolation != "full":
        return error
    command = f"grade batch {terms.batch.tree} --out {terms.batch.out} --isolation weak"
    return IsolationError(
        f"hidden inputs need full isolation, which this system does not give: {error}. `{command}` grades without it; "
        "student code can then read the files of this machine, among them the hidden seed and the work of others."
    )


def _make_setup(terms: Terms) -> Setup:
    limits = terms.settings.limits
    return Setup(terms.settings, freeze(terms.key), terms.leave_out, limits.submission + limits.load + SLACK)


def _make_message(hand_in: HandIn) -> dict[str, Any]:
    entry = hand_in.entry
    return {
        "student": entry.student,
        "attempt": entry.attempt,
        "late": entry.late,
        "label": entry.label,
        "paths": [pack_path(path) for path in entry.paths],
        "files": [[file.name, file.sha256] for file in hand_in.files],
    }


def _keep(hand_in: HandIn, finished: Finished, terms: Terms) -> bool:
    """Write the report and the student's files of a submission; return whether it has a result."""
    student, said = hand_in.entry.student, finished.message
    if said is None:
        terms.ledger.store_fault(student, dump_report(_report_loss(hand_in, finished.why, terms)).encode())
        return False
    if not said["graded"]:
        terms.ledger.store_fault(student, said["report"].encode())
        return False
    # The files may have changed since they were hashed: those that were graded decide the stamp.
    files = [SubmittedFile(name, sha256) for name, sha256 in said["files"]]
    terms.ledger.store_shown(student, said["student_json"], said["student_text"])
    terms.ledger.store(student, terms.make_stamp(hand_in, files), said["report"].encode())
    return True


def _report_loss(hand_in: HandIn, why: str, terms: Terms) -> Report:
    entry = hand_in.entry
    nothing = empty_submission(entry.label, "The work was not judged.", terms.asked, hand_in.files)
    person = Person(entry.student, entry.attempt, entry.late)
    subject = Subject(nothing, terms.key.label, terms.settings, person)
    return report_fault(subject, f"The grader failed on this work {TRIES} times: {why}.")


def _conclude(terms: Terms, fresh: int, stopped_by: signal.Signals | None) -> Result:
    """Write the list of skipped files and the gradebook from what lies in the folder now."""
    terms.ledger.refresh()
    collection = terms.collection
    rows = tuple(find_row(hand_in, terms) for hand_in in collection.hand_ins)
    put(terms.batch.out / SKIPPED, render_skipped(collection.skipped).encode())
    # The last of all: where writing fails, nobody takes an older gradebook for this one.
    gradebook = render_gradebook(rows, choose_columns(terms.settings.exercises, rows))
    put(terms.batch.out / GRADEBOOK, gradebook.encode())
    return Result(
        rows=rows,
        skipped=collection.skipped,
        unopened=tuple(name for hand_in in collection.hand_ins for name, _ in hand_in.entry.unopened),
        hidden=terms.hidden,
        fresh=fresh,
        strangers=terms.ledger.count_strangers(hand_in.entry.student for hand_in in collection.hand_ins),
        stopped_by=stopped_by,
    )
