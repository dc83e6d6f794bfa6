"""The gradebook: one CSV row for each submission, graded or not.

RFC 4180 in UTF-8; text is quoted, numbers are not. A cell that a spreadsheet would take for a formula gets one
apostrophe in front. So does a cell that begins with apostrophes and a formula: taking one away gives the text again.

A character that drives a terminal or cannot be seen is written out. In names it was written out when they were read, so
that they can be read back (`grader.inert.write_out`): such a name stays as it is here.
"""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from grader.inert import printable
from grader.report import CheckResult, ExerciseResult, Outcome, Report

NO_RESULT = "no_result"
NOTHING = "nothing_to_grade"
_REASON = re.compile(r"[a-z]+(?:-[a-z]+)*")
_FORMULA = re.compile(r"['\s]*[=+\-@\t\r\n]")  # some spreadsheets drop blanks in front


@dataclass(frozen=True)
class Column:
    """An exercise in the gradebook, and whether a person marks a part of it."""

    slug: str
    written: bool


@dataclass(frozen=True)
class Row:
    """One submission. Without a result there is no report, or one without a score: its cells stay empty.

    `prints` are no cell: with them (name, digest and size of each answer) the work of a class is compared.
    """

    student: str
    status: str
    attempt: int | None = None
    late: Literal["yes", "no", "unknown"] = "unknown"
    path: str = ""
    exercises: tuple[tuple[str, float, float | str], ...] = ()  # slug, automatic and written points, or "pending"
    automatic: float | None = None
    written: float | str = ""
    total: float | None = None
    max_score: float | None = None
    mistakes: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    receipt: str = ""
    prints: tuple[tuple[str, str, int], ...] = ()


def make_row(report: Report, student: str, *flags: str) -> Row:
    """Return the row of a report.

    Parameters
    ----------
    report : Report
        Graded or not.
    student : str
        The name in the gradebook, also where the report has none.
    *flags : str
        Further remarks for the instructor about this row.
    """
    about = report.submission
    if report.status == "grader_error" or report.score is None:
        flags = (*flags, *([report.error] if report.error else []))
        return Row(student, report.status, about.attempt, about.late, about.path, flags=flags, receipt=report.receipt)
    checks = [check for exercise in report.exercises for check in exercise.checks]
    missing = all(check.outcome is Outcome.MISSING for check in checks)
    named = [name.code for check in checks for name in check.named_mistakes]
    pending = any(_written(exercise) == "pending" for exercise in report.exercises if _written_max(exercise))
    awarded = sum(exercise.awarded.points for exercise in report.exercises if exercise.awarded)
    return Row(
        student,
        NOTHING if missing else report.status,
        about.attempt,
        about.late,
        about.path,
        tuple((exercise.slug, exercise.score, _written(exercise)) for exercise in report.exercises),
        automatic=report.score,
        written="pending" if pending else awarded,
        total=report.score + awarded,
        max_score=sum(exercise.max_score + _written_max(exercise) for exercise in report.exercises),
        mistakes=tuple(dict.fromkeys(named)),
        flags=(*flags, *_gather_flags(checks)),
        receipt=report.receipt,
        prints=tuple((one.name, one.digest, one.size) for one in about.prints),
    )


def name_reason(flag: str) -> str:
    """Return the reason of a flag, without what it concerns: one word, or a sentence."""
    first, _, rest = flag.partition(":")
    return first if _REASON.fullmatch(first) or not rest else rest.strip()


def _gather_flags(checks: Sequence[CheckResult]) -> list[str]:
    """Return each reason once, with the functions that it concerns, unless it concerns all; sentences by check."""
    functions = {check.function for check in checks}
    concerned: dict[str, dict[str, None]] = {}
    sentences = []
    for check in checks:
        for flag in check.flags:
            if _REASON.fullmatch(flag):
                concerned.setdefault(flag, {})[check.function] = None
            else:
                sentences.append(f"{check.name}: {flag}")
    reasons = [
        flag if functions <= names.keys() else f"{flag}: {', '.join(names)}" for flag, names in concerned.items()
    ]
    return [*reasons, *sentences]


def _written_max(exercise: ExerciseResult) -> float:
    """Return the points that a person gives: those of all checks, less those that are given automatically."""
    beyond = sum(check.max_score for check in exercise.checks) - exercise.max_score
    return max(beyond, exercise.pending_score, 0.0)


def _written(exercise: ExerciseResult) -> float | str:
    if exercise.awarded is not None:
        return exercise.awarded.points
    return "pending" if exercise.pending_score else 0


def render_gradebook(rows: Sequence[Row], columns: Sequence[Column]) -> str:
    """Return the gradebook as CSV text, rows in the given order."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\r\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(_header(columns))
    writer.writerows([spell(cell) if isinstance(cell, str) else cell for cell in _cells(row, columns)] for row in rows)
    return stream.getvalue()


def _header(columns: Sequence[Column]) -> list[str]:
    parts = [name for column in columns for name in (column.slug, f"{column.slug}_written")[: 1 + column.written]]
    totals = ["automatic", "written", "total", "max", "mistakes", "flags", "receipt", "path"]
    return ["student", "status", "attempt", "late", *parts, *totals]


def _cells(row: Row, columns: Sequence[Column]) -> list[str | float]:
    earned = {slug: (_number(points), _number(written)) for slug, points, written in row.exercises}
    parts = [cell for column in columns for cell in earned.get(column.slug, ("", ""))[: 1 + column.written]]
    attempt = _number(row.attempt)
    totals = [_number(cell) for cell in (row.automatic, row.written, row.total, row.max_score)]
    named = [" ".join(row.mistakes), "; ".join(row.flags)]
    return [row.student, row.status, attempt, row.late, *parts, *totals, *named, row.receipt, row.path]


def _number(value: float | str | None) -> float | str:
    """Return points as they are written, without a needless `.0`; words such as "pending" stay."""
    if value is None or isinstance(value, str):
        return value or ""
    rounded = round(value, 4)
    return int(rounded) if rounded == int(rounded) else rounded


def pack_row(row: Row) -> dict[str, Any]:
    """Return a row as values that JSON takes as they are."""
    return asdict(row)


def unpack_row(packed: Mapping[str, Any]) -> Row:
    """Return the row that `pack_row` wrote."""
    lists = {name: tuple(packed[name]) for name in ("mistakes", "flags")}
    prints = tuple(map(tuple, packed["prints"]))
    return Row(**{**packed, **lists, "exercises": tuple(map(tuple, packed["exercises"])), "prints": prints})


def spell(cell: str) -> str:
    """Return the cell so that nobody who shows it or opens it runs anything."""
    return guard(printable(cell))


def guard(cell: str) -> str:
    """Return the cell so that no spreadsheet runs it."""
    return f"'{cell}" if _FORMULA.match(cell) else cell
