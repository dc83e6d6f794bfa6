"""Make the results of checks and of exercises, among them those of a submission that is not run. Needs no NumPy."""

from collections.abc import Mapping, Sequence
from typing import Any

from grader.calls import Run
from grader.exercises.exercise import Check, Exercise, Rule
from grader.judging.endings import Ending, Scene, end_unrun
from grader.report import CheckResult, ExerciseResult, Outcome
from grader.submissions.records import Definition, FunctionState

_WORST_FIRST = (
    Outcome.ERROR,
    Outcome.CRASHED,
    Outcome.MEMORY,
    Outcome.TIMEOUT,
    Outcome.FAILED,
    Outcome.MISSING,
    Outcome.SKIPPED,
    Outcome.NOT_ATTEMPTED,
)


def sum_up(exercise: Exercise, checks: Sequence[CheckResult]) -> ExerciseResult:
    """Return the result of an exercise: the worst outcome of its automatic checks, and their points."""
    written = {check.name for check in exercise.checks if check.rule is Rule.WRITTEN}
    automatic = [check for check in checks if check.name not in written]
    pending = sum(check.max_score for check in checks if check.name in written and check.outcome is Outcome.PENDING)
    outcomes = {check.outcome for check in automatic}
    return ExerciseResult(
        slug=exercise.slug,
        title=exercise.title,
        outcome=next((outcome for outcome in _WORST_FIRST if outcome in outcomes), Outcome.PASSED),
        score=sum(check.score for check in automatic),
        max_score=exercise.max_score,
        pending_score=pending,
        checks=tuple(checks),
    )


def result(check: Check, outcome: Outcome, message: str = "", **more: Any) -> CheckResult:
    """Return a check's result; points follow from the outcome unless `score` is given."""
    score = more.pop("score", check.points if outcome is Outcome.PASSED else 0.0)
    return CheckResult(
        name=check.name,
        title=check.title,
        function=check.function,
        outcome=outcome,
        score=score,
        max_score=check.points,
        message=message,
        hints=(message,) if message else (),
        **more,
    )


def end(check: Check, ending: Ending, **more: Any) -> CheckResult:
    """Return a check's result for a function that gave no value, flagged where the reason is not mathematics."""
    flags = (ending.flag,) if ending.flag else ()
    return result(check, ending.outcome, ending.message, location=ending.location, flags=flags, **more)


def flag_definition(check: CheckResult, definition: Definition) -> CheckResult:
    """Return the result with the reason why a person should look at the definition that was judged."""
    flag = definition.flag if definition.state is FunctionState.DEFINED else ""
    return check.model_copy(update={"flags": (flag, *check.flags)}) if flag else check


def judge_unrun(exercises: Sequence[Exercise], definitions: Mapping[str, Definition]) -> tuple[ExerciseResult, ...]:
    """Judge a submission with no function that can be called: each is not started, missing or unreadable."""
    asked = frozenset(definitions)
    results = []
    for exercise in exercises:
        checks = []
        for check in exercise.checks:
            ending = end_unrun(Scene(definitions[check.function], Run({}), asked))
            assert ending is not None  # noqa: S101 (the caller has seen that nothing can be called)
            checks.append(end(check, ending))
        results.append(sum_up(exercise, checks))
    return tuple(results)
