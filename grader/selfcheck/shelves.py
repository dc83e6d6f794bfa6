"""Grade whole submissions: the solutions, the stubs, right work in other forms, and cheats."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.course import Course
from grader.errors import CourseError
from grader.exercises import EXERCISES
from grader.grading import grade_submission
from grader.key.answer_key import AnswerKey
from grader.report import CheckResult, Outcome, Report
from grader.selfcheck.tally import Premises, Tally
from grader.submissions import read_submission
from grader.submissions.asking import read_asked


def _grade(premises: Premises, key: AnswerKey, paths: Sequence[Path]) -> Report:
    submission = read_submission(paths, read_asked(premises.course), premises.course.never_answers)
    report = grade_submission(submission, key, premises.engine, premises.settings)
    if report.error is not None:
        message = f"The grader failed on {submission.path}: {report.error}"
        raise CourseError(message)
    return report


def _checks(report: Report) -> Iterator[CheckResult]:
    for exercise in report.exercises:
        yield from exercise.checks


def _loses(check: CheckResult) -> bool:
    return check.score < check.max_score and check.outcome is not Outcome.PENDING


def try_solutions(premises: Premises, key: AnswerKey, tally: Tally) -> None:
    """See that the reference solutions earn every automatic point."""
    report = _grade(premises, key, [premises.solutions])
    if report.score != report.max_score:
        lost = ", ".join(check.name for check in _checks(report) if _loses(check))
        tally.fail("solutions", f"{report.score} of {report.max_score} points; lost: {lost} (seed {key.seed})")


def try_stubs(premises: Premises, key: AnswerKey, tally: Tally) -> None:
    """See that the untouched stubs earn nothing, and that nothing of them is called wrong."""
    report = _grade(premises, key, [premises.course.stubs])
    started = [check.name for check in _checks(report) if check.outcome is not Outcome.NOT_ATTEMPTED]
    if report.score or started:
        tally.fail("stubs", f"{report.score} points; not called unattempted: {', '.join(started) or 'none'}")


def try_variants(premises: Premises, key: AnswerKey, tally: Tally) -> None:
    """See that right work in another form keeps every point."""
    for name, paths in shelf(premises.course, premises.solutions, "variants"):
        report = _grade(premises, key, paths)
        tally.right += 1
        lost = [f"{check.name} ({check.message})" for check in _checks(report) if _loses(check)]
        if report.score != report.max_score:
            tally.rejected += 1
            tally.fail(f"variant {name}", f"loses {', '.join(lost)} (seed {key.seed})")


def try_cheats(premises: Premises, key: AnswerKey, tally: Tally) -> None:
    """See that work which answers nothing earns no more than its docstring allows."""
    for name, paths in shelf(premises.course, premises.solutions, "cheats"):
        report = _grade(premises, key, paths)
        tally.cheats += 1
        bound = _bound(paths[0])
        if report.score is None or report.score > bound:
            tally.fail(f"cheat {name}", f"earns {report.score} points, more than {bound} (seed {key.seed})")


def _bound(path: Path) -> float:
    found = re.search(r"at most (\d+(?:\.\d+)?)", path.read_text("utf-8"), re.IGNORECASE)
    if found is None:
        message = f"{path.name} in {path.parent.name} does not say `at most N points`. Add it to its docstring."
        raise CourseError(message)
    return float(found.group(1))


def shelf(course: Course, solutions: Path, kind: str) -> list[tuple[str, list[Path]]]:
    """Return the submissions of a shelf beside the solutions: a folder each, completed by a file for every exercise.

    A variant is completed with right files: those of `variants/plain`, or the solution where that folder has none.
    A cheat is completed with untouched stubs, so that it earns nothing with work that is not its own.
    """
    place = solutions.parent / "tests"
    fillers = {f"{slug}.py": (solutions if kind == "variants" else course.stubs) / f"{slug}.py" for slug in EXERCISES}
    if kind == "variants":
        fillers |= {path.name: path for path in (place / kind / "plain").glob("*.py")}
    found = []
    for one in sorted((place / kind).iterdir()) if (place / kind).is_dir() else []:
        if files := sorted(one.glob("*.py")):
            names = {file.name for file in files}
            found.append((one.name, [*files, *(path for name, path in fillers.items() if name not in names)]))
    return found
