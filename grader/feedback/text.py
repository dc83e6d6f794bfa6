"""The table on the terminal, made from the report alone.

Each symbol has its word beside it, so that the text reads the same without colour, in a pipe and aloud.
"""

import click

from grader.feedback import View
from grader.feedback.figures import count, points
from grader.feedback.findings import Finding, all_checks, gather, named, without_name
from grader.feedback.plain import MARKS, PARTLY, Mark, measure, name_list, neutralise, wrap
from grader.feedback.snippet import lay_out
from grader.report import ExerciseResult, Outcome, Report

_INDENT = "    "
_DETAILED = 6  # findings that are explained; the others are named
_NOTES = 8  # that are printed; the others stand in the report


class _Page(View):
    """A view with the ways to write on it."""

    __slots__ = ()

    def paint(self, text: str, color: str | None = None, *, bold: bool = False) -> str:
        return click.style(text, fg=color, bold=bold or None) if self.color else text

    def mark(self, mark: Mark) -> str:
        return self.paint(self.bare(mark), mark.color)

    def bare(self, mark: Mark) -> str:
        return f"{mark.symbol if self.unicode else mark.plain} {mark.word}"

    def wrap(self, text: str, *, first: str = "", rest: str | None = None, most: int | None = None) -> list[str]:
        return wrap(text, self.width, first=first, rest=rest, most=most)

    def marked(self, outcome: Outcome, text: str) -> list[str]:
        # Wrapped without colour, so that the columns are counted right, then the mark is painted.
        mark = MARKS[outcome]
        lines = self.wrap(text, first=f"  {self.bare(mark)}: ", rest=_INDENT)
        return [lines[0].replace(self.bare(mark), self.mark(mark), 1), *lines[1:]]

    def heading(self, text: str) -> list[str]:
        return ["", self.paint(text, bold=True)]


def render_text(report: Report, view: View) -> str:
    """Return the report as text that ends with a newline."""
    page = _Page(*view)
    if report.status == "grader_error" or report.score is None:
        lines = _fault(report, page)
    elif _is_untouched(report):
        lines = _untouched(report, page)
    else:
        lines = _graded(report, report.score, page)
    return "\n".join(lines) + "\n"


def _fault(report: Report, page: _Page) -> list[str]:
    cause = report.error or "no cause was recorded"
    return [
        page.paint("The grader failed on this work: there is no result.", "red", bold=True),
        *page.wrap("This is not your fault, and no points were taken.", first="  "),
        *page.wrap(f"What happened: {cause}", first="  ", most=6),
        *page.wrap(
            "Next: grade once more; where it fails again, show this to your instructor with `grade doctor`.", first="  "
        ),
    ]


def _is_untouched(report: Report) -> bool:
    outcomes = {check.outcome for check in all_checks(report)}
    return outcomes <= {Outcome.NOT_ATTEMPTED, Outcome.PENDING} and Outcome.NOT_ATTEMPTED in outcomes


def _untouched(report: Report, page: _Page) -> list[str]:
    first = report.exercises[0]
    lines = [
        page.paint(f"Nothing is started yet: 0 of {count(report.max_score, 'point')}.", bold=True),
        *_table(report, page),
        *page.wrap(f"Start with {first.checks[0].function} in {_start(report, first)}:", most=2),
        *page.wrap("replace `raise NotImplementedError` by your answer, save, and grade again."),
    ]
    for note in report.submission.notes[:2]:
        lines += page.wrap(note, first="Note: ", most=2)
    return lines


def _start(report: Report, exercise: ExerciseResult) -> str:
    names = [record.name for record in report.submission.files]
    script = next((name for name in names if exercise.slug in name), f"{exercise.slug}.py")
    notebooks = [name for name in names if name.endswith(".ipynb")]
    if not notebooks:
        return script
    return notebooks[0] if len(names) == 1 else f"{script}, or in the notebook {notebooks[0]}"


def _graded(report: Report, score: float, page: _Page) -> list[str]:
    findings = gather(report)
    return [
        *_total(report, score, page),
        *_table(report, page),
        *_findings(findings, page),
        *_the_rest(report, page),
        *_notes(report, page),
        *_closing(report, findings, score, page),
    ]


def _total(report: Report, score: float, page: _Page) -> list[str]:
    total = f"{points(score)} of {count(report.max_score, 'point')}"
    if score >= report.max_score:
        total = f"Full marks: {total}"
    if report.pending_score:
        total += f"; {points(report.pending_score)} more wait{'s' if report.pending_score == 1 else ''} for a person"
    return [page.paint(f"{total}.", bold=True)]


def _table(report: Report, page: _Page) -> list[str]:
    titles = [wrap(exercise.title, page.width // 2, most=1)[0] for exercise in report.exercises]
    widest = max((measure(title) for title in titles), default=0)
    rows = []
    for title, exercise in zip(titles, report.exercises, strict=True):
        gap = " " * (widest - measure(title))
        earned = f"{points(exercise.score):>7} of {points(exercise.max_score):<4}"
        rows.append(f"  {title}{gap}{earned} {page.mark(_mark(exercise))}{_written(exercise)}")
    return rows


def _mark(exercise: ExerciseResult) -> Mark:
    if exercise.outcome is not Outcome.PASSED and 0 < exercise.score < exercise.max_score:
        return PARTLY
    return MARKS[exercise.outcome]


def _written(exercise: ExerciseResult) -> str:
    if exercise.awarded is not None:
        return f", {count(exercise.awarded.points, 'point')} for the written answer"
    return f", {points(exercise.pending_score)} by a person" if exercise.pending_score else ""


def _findings(findings: list[Finding], page: _Page) -> list[str]:
    if not findings:
        return []
    lines = page.heading("To mend, worst first" if len(findings) > 1 else "To mend")
    detailed = next((finding for finding in findings if finding.worst.counterexample is not None), None)
    for finding in findings[:_DETAILED]:
        lines += _finding(finding, page, with_example=finding is detailed)
    if len(findings) > _DETAILED:
        names = name_list([name for finding in findings[_DETAILED:] for name in finding.functions])
        lines += page.wrap(f"Then: {names}.", first="  ", rest=_INDENT)
    return lines + _more_help(findings, page)


def _more_help(findings: list[Finding], page: _Page) -> list[str]:
    ways = []
    if any(len(finding.worst.hints) > 1 + page.hints for finding in findings):
        ways.append(f"add --hints {page.hints + 1}")
    code = next((finding.worst.mistake.code for finding in findings if finding.worst.mistake is not None), None)
    if code is not None and page.hints < 2:  # noqa: PLR2004 (at the highest level `explain` has nothing to add)
        ways.append(f"`grade explain {code}`")
    return page.wrap(f"More help: {', or '.join(ways)}.", first="  ") if ways else []


def _finding(finding: Finding, page: _Page, *, with_example: bool) -> list[str]:
    check = finding.worst
    name = name_list(list(finding.functions))
    earned = f"{points(finding.score)} of {count(finding.max_score, 'point')}"
    if len(finding.functions) > 1:
        earned = f"{count(finding.lost, 'point')} missing"
    place = f" ({check.location})" if check.location else ""
    lines = page.marked(finding.outcome, f"{name}{place}, {earned}")
    lines += _explanation(finding, page)
    lines += _also(finding, page)
    if with_example and check.counterexample is not None:
        lines += lay_out(check.counterexample, page.width)
    return lines


def _explanation(finding: Finding, page: _Page) -> list[str]:
    check = finding.worst
    message = check.message if len(finding.functions) == 1 else without_name(check)
    lines = page.wrap(message or f"{check.title}: not right yet.", first=_INDENT, most=6)
    for mistake in check.named_mistakes:
        lines += page.wrap(
            f"Known mistake {mistake.code}: {mistake.title}.", first=_INDENT, rest=_INDENT + "  ", most=3
        )
    for label, hint in zip(("Try", "Idea"), check.hints[1 : 1 + page.hints], strict=False):
        lines += page.wrap(f"{label}: {hint}", first=_INDENT, rest=_INDENT + "  ", most=4)
    return lines


def _also(finding: Finding, page: _Page) -> list[str]:
    if len(finding.functions) > 1:
        return []
    said = {finding.worst.message}
    lines: list[str] = []
    untold: dict[str, list[str]] = {}
    for check in finding.checks[1:]:
        if check.outcome is Outcome.SKIPPED:
            untold.setdefault("Not judged", []).append(check.title)
        elif check.message in said or not check.message:
            if finding.score > 0:
                untold.setdefault("Also failing", []).append(check.title)
        else:
            said.add(check.message)
            lines += page.wrap(f"{check.title}: {check.message}", first=_INDENT, rest=_INDENT + "  ", most=2)
    for label, titles in untold.items():
        lines += page.wrap(f"{label}: {'; '.join(titles)}.", first=_INDENT, rest=_INDENT + "  ", most=2)
    return lines


def _the_rest(report: Report, page: _Page) -> list[str]:
    outcomes = [Outcome.PASSED, Outcome.NOT_ATTEMPTED, Outcome.PENDING]
    if report.score == report.max_score:
        outcomes.remove(Outcome.PASSED)
    lines = [
        line
        for outcome in outcomes
        if (names := named(report, outcome))
        for line in page.marked(outcome, name_list(names))
    ]
    return ["", *lines] if lines else []


def _notes(report: Report, page: _Page) -> list[str]:
    remarks: dict[str, list[str]] = {}
    for check in all_checks(report):
        if check.outcome is Outcome.PASSED and check.message:
            remarks.setdefault(check.message, []).append(check.function)
    said = [f"{name_list(list(dict.fromkeys(names)))}: {message}" for message, names in remarks.items()]
    notes = list(dict.fromkeys([*said, *report.submission.notes]))
    if not notes:
        return []
    lines = page.heading("Notes")
    for note in notes[:_NOTES]:
        lines += page.wrap(note, first="  - ", most=3)
    if len(notes) > _NOTES:
        lines.append(f"  - {len(notes) - _NOTES} more in the report.")
    return lines


def _closing(report: Report, findings: list[Finding], score: float, page: _Page) -> list[str]:
    if findings or score < report.max_score:
        return []
    files = name_list([neutralise(record.name) for record in report.submission.files])
    return ["", *page.wrap(f"Hand in: {files}.", rest="  "), f"Receipt: {report.receipt}"]
