"""From the files of a batch folder to the rows of its gradebook and the list of skipped files."""

import csv
import io
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from grader.batch.collect import HandIn, Skipped
from grader.batch.equal_works import REMARK, find_alike
from grader.batch.ledger import Ledger, UnwrittenError
from grader.batch.terms import Terms
from grader.exercises import EXERCISES
from grader.export.gradebook import NO_RESULT, Column, Row, make_row, spell
from grader.feedback import FORMATS, View
from grader.report import Report, dump_report

EARLIER = "graded earlier, from other files or settings"
UNWRITTEN = "the report could not be written"


class KnownRows:
    """The rows of the reports that this run has read or written, as long as the files on the disk are the same.

    Without them the end of a run reads every report again: half a minute for 50,000, also after Ctrl-C.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._known: dict[str, tuple[str, tuple[int, ...], Row]] = {}

    def remember(self, student: str, stamp: str, row: Row) -> None:
        """Keep the row of a report that lies in the ledger."""
        self._known[student] = (stamp, self._ledger.identify(student, stamp), row)

    def recall(self, student: str, stamp: str) -> Row | None:
        """Return the row of the report with this stamp; None where it is not known, or another file lies there now."""
        known, identity, row = self._known.get(student, ("", (), None))
        return row if known == stamp and identity and identity == self._ledger.identify(student, stamp) else None


def find_row(hand_in: HandIn, terms: Terms, known: KnownRows, unwritten: str = "") -> Row:
    """Return the row of a submission from the files on the disk, and write the student's files where they are gone.

    `unwritten` tells why this run could not keep its report.
    """
    entry, ledger = hand_in.entry, terms.ledger
    flags = (*entry.flags, *(f"{name}: {reason}" for name, reason in entry.unopened))
    flags += (f"{UNWRITTEN}: {unwritten}",) if unwritten else ()
    stamp = terms.make_stamp(hand_in)
    row = known.recall(entry.student, stamp) if ledger.is_shown(entry.student) and entry.paths else None
    if row is None:
        report = ledger.find(entry.student, stamp) if entry.paths else None
        if report is None and entry.paths:
            report = ledger.find_fault(entry.student)
        # An earlier mark would hide that this work has none.
        if report is None and not unwritten and (report := ledger.find_any(entry.student)) is not None:
            flags = (EARLIER, *flags)
        if report is None:
            return Row(entry.student, NO_RESULT, entry.attempt, entry.late, entry.label, flags=flags)
        if report.status == "graded" and not ledger.is_shown(entry.student):
            with suppress(UnwrittenError):  # the next run writes them; the gradebook comes first
                _write_shown(report, entry.student, terms)
        row = make_row(report, entry.student)
    return replace(row, flags=(*flags, *row.flags), path=entry.label)


def compare_works(rows: Sequence[Row], terms: Terms) -> tuple[Row, ...]:
    """Return the rows with a flag where a work has the code of another one, and tell these students that it does."""
    alike = find_alike(rows, terms.model)
    for row in rows:
        ledger = terms.ledger
        if has_result(row) and (row.student in alike) != ledger.is_remarked(row.student, REMARK):
            report = ledger.find_any(row.student)
            if report is not None:
                with suppress(UnwrittenError):
                    _write_shown(report, row.student, terms, REMARK if row.student in alike else "")
    return tuple(replace(row, flags=(*alike.get(row.student, ()), *row.flags)) for row in rows)


def expand_groups(rows: Sequence[Row], hand_ins: Sequence[HandIn]) -> tuple[Row, ...]:
    """Return a row for each member of a group, whose work was graded once, and the other rows as they are."""
    expanded: list[Row] = []
    for graded, hand_in in zip(rows, hand_ins, strict=True):
        row = replace(graded, student=hand_in.entry.attempt_of or graded.student)
        members = hand_in.entry.members
        shared = (*row.flags, f"group: graded once for {', '.join(members)}")
        expanded += [replace(row, student=member, flags=shared) for member in members] or [row]
    return tuple(expanded)


def has_result(row: Row) -> bool:
    """Return whether a submission was graded."""
    return row.status not in (NO_RESULT, "grader_error")


def choose_columns(exercises: Sequence[str], rows: Sequence[Row]) -> list[Column]:
    """Return a column for each exercise that was asked for, or that an earlier report in the rows has."""
    wanted = {*(exercises or EXERCISES), *(slug for row in rows for slug, _, _ in row.exercises)}
    return [Column(slug, written=EXERCISES[slug].pending_score > 0) for slug in EXERCISES if slug in wanted]


def render_skipped(skipped: Sequence[Skipped]) -> str:
    """Return the list of skipped files as CSV."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\r\n", quoting=csv.QUOTE_ALL)
    writer.writerow(["student", "file", "reason"])
    writer.writerows([spell(cell) for cell in (one.student, one.file, one.reason)] for one in skipped)
    return stream.getvalue()


def _write_shown(report: Report, student: str, terms: Terms, remark: str = "") -> None:
    shown = report.for_student(remark=remark)
    terms.ledger.store_shown(student, dump_report(shown), FORMATS["text"](shown, View()))
