"""From the files of a batch folder to the rows of its gradebook and the list of skipped files."""

import csv
import io
from collections.abc import Sequence
from dataclasses import replace

from grader.batch.collect import HandIn, Skipped
from grader.batch.terms import Terms
from grader.exercises import EXERCISES
from grader.export.gradebook import NO_RESULT, Column, Row, guard, make_row
from grader.feedback import FORMATS, View
from grader.report import Report, dump_report

EARLIER = "graded earlier, from other files or settings"


def find_row(hand_in: HandIn, terms: Terms) -> Row:
    """Return the row of a submission from the files on the disk, and write the student's files where they are gone."""
    entry, ledger = hand_in.entry, terms.ledger
    flags = (*entry.flags, *(f"{name}: {reason}" for name, reason in entry.unopened))
    report = ledger.find(entry.student, terms.make_stamp(hand_in)) if entry.paths else None
    if report is None and entry.paths:
        report = ledger.find_fault(entry.student)
    if report is None and (report := ledger.find_any(entry.student)) is not None:
        flags = (EARLIER, *flags)
    if report is None:
        return Row(entry.student, NO_RESULT, entry.attempt, entry.late, entry.label, flags=flags)
    if report.status == "graded" and not ledger.is_shown(entry.student):
        _write_shown(report, entry.student, terms)
    return replace(make_row(report, entry.student, *flags), path=entry.label)


def choose_columns(exercises: Sequence[str], rows: Sequence[Row]) -> list[Column]:
    """Return a column for each exercise that was asked for, or that an earlier report in the rows has."""
    wanted = {*(exercises or EXERCISES), *(slug for row in rows for slug, _, _ in row.exercises)}
    return [Column(slug, written=EXERCISES[slug].pending_score > 0) for slug in EXERCISES if slug in wanted]


def render_skipped(skipped: Sequence[Skipped]) -> str:
    """Return the list of skipped files as CSV."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\r\n", quoting=csv.QUOTE_ALL)
    writer.writerow(["student", "file", "reason"])
    writer.writerows([guard(cell) for cell in (one.student, one.file, one.reason)] for one in skipped)
    return stream.getvalue()


def _write_shown(report: Report, student: str, terms: Terms) -> None:
    shown = report.for_student()
    terms.ledger.store_shown(student, dump_report(shown), FORMATS["text"](shown, View()))
