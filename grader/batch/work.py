"""Grade the submissions that are due on several workers, and keep each report as it comes."""

import os
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from grader.batch.collect import HandIn
from grader.batch.ledger import UnwrittenError
from grader.batch.pool import TRIES, Finished, Job, Pool
from grader.batch.process import Setup
from grader.batch.progress import Watcher
from grader.batch.rows import KnownRows
from grader.batch.terms import Terms
from grader.errors import IsolationError
from grader.export.gradebook import unpack_row
from grader.feedback.figures import count
from grader.files import pack_path
from grader.key.frozen import freeze
from grader.report import Report, dump_report
from grader.reporting import Person, Subject, report_fault
from grader.submissions import SubmittedFile
from grader.submissions.states import empty_submission

PAUSES = (0.2, 1.0)  # seconds before a report is written once more
GIVEN_UP = 3  # reports in a row that could not be written: then no further work is graded for nothing
# Seconds of reading and judging, beside the time that the student's code may take: 30 s and 20 s of processor time are
# allowed (`submissions.apart`, `judging.deadline`), and a busy machine gives a process half of its time.
SLACK = 120.0


@dataclass
class Progress:
    """What a run has done so far. `unwritten` tells by student why a report could not be kept."""

    known: KnownRows
    fresh: int = 0
    unwritten: dict[str, str] = field(default_factory=dict)


def make_pool(due: int, terms: Terms, watcher: Watcher) -> Pool:
    """Return the workers for so many submissions, none of them started."""
    wanted, cores = terms.batch.jobs, _usable_cores()
    if wanted is not None and wanted > cores:
        on = count(cores, "core")
        watcher.note(f"--jobs {wanted} on {on}: each work takes longer, and all of them take no less time.")
    return Pool(_make_setup(terms), min(wanted or cores, due))


def grade_due(pool: Pool, due: Sequence[int], terms: Terms, progress: Progress, watcher: Watcher) -> None:
    """Grade submissions by their numbers. Raise `GraderError` where none of the remaining ones can have a report."""
    hand_ins = terms.collection.hand_ins
    jobs = (Job(number, _make_message(hand_ins[number])) for number in due)  # made one by one: see `pool`
    in_a_row = 0
    try:
        with closing(pool.grade(jobs)) as ends:
            for finished in ends:
                student = hand_ins[finished.number].entry.student
                try:
                    kept = _keep_patiently(hand_ins[finished.number], finished, terms, progress)
                    in_a_row = 0
                except UnwrittenError as error:
                    progress.unwritten[student] = error.reason
                    kept, in_a_row = False, in_a_row + 1
                    if in_a_row == GIVEN_UP or not terms.ledger.reports.is_dir():
                        raise
                progress.fresh += kept
                watcher.step(student, finished.seconds, failed=not kept)
    except IsolationError as error:
        raise _refuse(error, terms) from error
    for loss in dict.fromkeys(pool.losses):
        watcher.note(f"{loss}.")


def _keep_patiently(hand_in: HandIn, finished: Finished, terms: Terms, progress: Progress) -> bool:
    """Do what `_keep` does. A disk that a neighbour filled has room again when that one has been ended and wiped."""
    for pause in PAUSES:
        try:
            return _keep(hand_in, finished, terms, progress)
        except UnwrittenError:
            if not terms.ledger.reports.is_dir():
                raise
            time.sleep(pause)
    return _keep(hand_in, finished, terms, progress)


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
        "names": [[pack_path(path), name] for path, name in entry.names],
        "files": [[file.name, file.sha256] for file in hand_in.files],
    }


def _keep(hand_in: HandIn, finished: Finished, terms: Terms, progress: Progress) -> bool:
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
    stamp = terms.make_stamp(hand_in, files)
    terms.ledger.store_shown(student, said["student_json"], said["student_text"])
    terms.ledger.store(student, stamp, said["report"].encode())
    progress.known.remember(student, stamp, unpack_row(said["row"]))
    return True


def _report_loss(hand_in: HandIn, why: str, terms: Terms) -> Report:
    entry = hand_in.entry
    nothing = empty_submission(entry.label, "The work was not judged.", terms.asked, hand_in.files)
    person = Person(entry.student, entry.attempt, entry.late)
    subject = Subject(nothing, terms.key.label, terms.settings, person)
    return report_fault(subject, f"The grader failed on this work {TRIES} times: {why}.")
