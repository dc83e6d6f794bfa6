"""Sort what is to be mended in a report for reading: each cause once, the worst first."""

from collections.abc import Iterable
from typing import NamedTuple

from grader.report import CheckResult, Outcome, Report

_FINE = frozenset({Outcome.PASSED, Outcome.NOT_ATTEMPTED, Outcome.PENDING})

_LAST = (Outcome.MISSING, Outcome.SKIPPED)


class Finding(NamedTuple):
    """One thing to mend: the failed checks of a function, or those of several functions that share one cause."""

    functions: tuple[str, ...]
    checks: tuple[CheckResult, ...]  # the most expensive first
    score: float  # of all checks of the functions
    max_score: float

    @property
    def worst(self) -> CheckResult:
        """Return the check to speak about."""
        return self.checks[0]

    @property
    def outcome(self) -> Outcome:
        """Return how the worst check came out."""
        return self.worst.outcome

    @property
    def lost(self) -> float:
        """Return the points that the failed checks did not earn."""
        return sum(check.max_score - check.score for check in self.checks)


def all_checks(report: Report) -> list[CheckResult]:
    """Return the checks of all exercises in order."""
    return [check for exercise in report.exercises for check in exercise.checks]


def gather(report: Report) -> list[Finding]:
    """Return the findings, the worst first; functions that are missing or were only skipped come last."""
    checks = all_checks(report)
    failed = [check for check in checks if check.outcome not in _FINE]
    shared = _shared_causes(failed)
    groups: dict[tuple[str, ...], list[CheckResult]] = {}
    for check in failed:
        cause = _cause(check)
        groups.setdefault(cause if cause in shared else ("function", check.function), []).append(check)
    findings = [_finding(group, checks) for group in groups.values()]
    return sorted(findings, key=lambda finding: (_rank(finding.outcome), -finding.lost))


def _rank(outcome: Outcome) -> int:
    return _LAST.index(outcome) + 1 if outcome in _LAST else 0


def named(report: Report, outcome: Outcome) -> list[str]:
    """Return the functions whose checks all came out as `outcome`, in order."""
    outcomes: dict[str, set[Outcome]] = {}
    for check in all_checks(report):
        outcomes.setdefault(check.function, set()).add(check.outcome)
    return [function for function, seen in outcomes.items() if seen == {outcome}]


def _cause(check: CheckResult) -> tuple[str, ...]:
    return ("cause", check.outcome, without_name(check), check.location or "")


def without_name(check: CheckResult) -> str:
    """Return the check's message without the name of its function, for a cause that several functions share."""
    return check.message.replace(f"`{check.function}` is not ", "None of them is ").replace(
        f"`{check.function}`", "Each"
    )


def _shared_causes(failed: Iterable[CheckResult]) -> set[tuple[str, ...]]:
    # Wrong numbers in two functions are two things, even where the sentences agree.
    concerned: dict[tuple[str, ...], set[str]] = {}
    for check in failed:
        if check.outcome is not Outcome.FAILED and check.message:
            concerned.setdefault(_cause(check), set()).add(check.function)
    return {cause for cause, functions in concerned.items() if len(functions) > 1}


def _finding(group: list[CheckResult], checks: list[CheckResult]) -> Finding:
    functions = tuple(dict.fromkeys(check.function for check in group))
    theirs = [check for check in checks if check.function in functions]
    # A skipped check has nothing to say of its own; among equals the report's order stands (simplest first).
    ordered = sorted(group, key=lambda check: (check.outcome is Outcome.SKIPPED, check.score - check.max_score))
    return Finding(
        functions=functions,
        checks=tuple(ordered),
        score=sum(check.score for check in theirs),
        max_score=sum(check.max_score for check in theirs),
    )
