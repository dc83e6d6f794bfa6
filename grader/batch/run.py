"""Grade a class, from the tree of submissions to the gradebook.

    settle the terms, skip submissions that have a report, grade the rest on several workers, write the gradebook

The reports in the ledger are the truth; gradebook and list of skipped files are made from them at the end of each run.
"""

import signal
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.batch.attempts import choose_attempts
from grader.batch.collect import Collection, HandIn, Skipped
from grader.batch.failures import explain_failure
from grader.batch.interruption import heed_signals, tell_end
from grader.batch.ledger import UnwrittenError, put
from grader.batch.progress import Watcher
from grader.batch.reserve import release, reserve_room
from grader.batch.rows import KnownRows, choose_columns, compare_works, expand_groups, find_row, render_skipped
from grader.batch.seeds import keep_seed
from grader.batch.terms import Batch, Terms, settle_terms
from grader.batch.work import Progress, grade_due, make_pool
from grader.export.gradebook import Row, make_row, render_gradebook
from grader.feedback.figures import count
from grader.inert import printable
from grader.settings import Settings
from grader.submissions.layouts.recognition import PLAIN

GRADEBOOK = "gradebook.csv"
SKIPPED = "skipped.csv"


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
    layout: str = ""


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
        The results cannot be written, or no worker can be started. The gradebook is there all the same, where it can be
        written, with a row for everybody.
    """
    terms = settle_terms(batch, settings, watcher)
    known = KnownRows(terms.ledger)
    hand_ins = terms.collection.hand_ins
    opened = [number for number, hand_in in enumerate(hand_ins) if hand_in.entry.paths]
    due = [number for number in opened if _is_due(hand_ins[number], terms, known)]
    if due and terms.hidden and settings.seed is not None:
        keep_seed(batch.out, settings.seed)
    _tell_doubtful(terms, watcher)
    _tell_replaced([hand_ins[number] for number in due], terms, watcher)
    pool = make_pool(len(due), terms, watcher) if due else None
    progress = Progress(known)
    watcher.begin(len(opened), len(opened) - len(due))
    with reserve_room(batch.out, len(hand_ins)) as room, heed_signals(pool, watcher) as heard:
        failure = None
        try:
            if pool is not None:
                grade_due(pool, due, terms, progress, watcher)
        except Exception as error:  # noqa: BLE001 (raised again below; whatever it is, the gradebook comes first)
            failure = error
        finally:
            watcher.end()
        stopped_by = tell_end(heard)
        return _conclude(terms, progress, stopped_by, failure, room)


def _is_due(hand_in: HandIn, terms: Terms, known: KnownRows) -> bool:
    student = hand_in.entry.student
    if terms.batch.force:
        return True
    if terms.batch.only_failed:
        return terms.ledger.find_fault(student) is not None or terms.ledger.find_any(student) is None
    stamp = terms.make_stamp(hand_in)
    report = terms.ledger.find(student, stamp)
    if report is not None:
        known.remember(student, stamp, make_row(report, student))
    return report is None


def _tell_doubtful(terms: Terms, watcher: Watcher) -> None:
    """Tell which reports are not taken, because the grader does not write such ones."""
    if doubtful := terms.ledger.doubtful:
        (student, why), number = next(iter(doubtful.items())), len(doubtful)
        verb, again = ("was", "is") if number == 1 else ("were", "are")
        watcher.note(
            f"{count(number, 'report')} {verb} changed by hand and {again} not taken ({printable(student)}: "
            f"{printable(why)}); the work is graded again."
        )


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


def _conclude(
    terms: Terms,
    progress: Progress,
    stopped_by: signal.Signals | None,
    failure: Exception | None,
    room: Sequence[Path],
) -> Result:
    """Write gradebook and list of skipped files from what lies in the folder now, then raise what failed before.

    They go where `room` was held for them.
    """
    terms.ledger.tidy()
    collection = terms.collection
    rows = tuple(
        find_row(hand_in, terms, progress.known, progress.unwritten.get(hand_in.entry.student, ""))
        for hand_in in collection.hand_ins
    )
    chosen = choose_attempts(rows, collection.hand_ins)
    hand_ins = [hand_in for _, hand_in in chosen.kept]
    rows = expand_groups(compare_works([row for row, _ in chosen.kept], terms), hand_ins)
    skipped = (*collection.skipped, *chosen.others)
    gradebook = render_gradebook(rows, choose_columns(terms.settings.exercises, rows))
    troubles = []
    release(room)  # not before: what a student may see is written again by `find_row`, and would take it
    # The gradebook last: where writing fails, nobody takes an older one for this one. Yet it does not depend on the
    # other file.
    for name, content in ((SKIPPED, render_skipped(skipped)), (GRADEBOOK, gradebook)):
        try:
            put(terms.batch.out / name, content.encode())
        except UnwrittenError as error:
            troubles.append(error)
    if failure is not None or troubles:
        raise explain_failure(failure, troubles, terms.batch.out / GRADEBOOK) from failure
    return Result(
        rows=rows,
        skipped=skipped,
        unopened=tuple(name for hand_in in collection.hand_ins for name, _ in hand_in.entry.unopened),
        hidden=terms.hidden,
        fresh=progress.fresh,
        strangers=terms.ledger.count_strangers(hand_in.entry.student for hand_in in collection.hand_ins),
        stopped_by=stopped_by,
        layout=_tell_layout(collection),
    )


def _tell_layout(collection: Collection) -> str:
    """Return how the tree was read; nothing for plain folders about which there is no doubt."""
    if collection.layout == PLAIN and not collection.doubt:
        return ""
    return "; ".join(filter(None, (collection.layout, collection.doubt)))
