"""Small builders of records: a test names only what it is about. Points are those of the exercises, never copied."""

import csv
import io
from typing import Any

from grader.exercises import EXERCISES, chosen_exercises
from grader.exercises.exercise import Exercise, Rule
from grader.export.gradebook import guard
from grader.report import (
    CheckResult,
    Counterexample,
    ExerciseResult,
    FileRecord,
    GraderInfo,
    MistakeName,
    Outcome,
    Report,
    SubmissionInfo,
)


def read_gradebook(text: str) -> list[dict[str, str]]:
    """Return the rows of a gradebook by column name, each cell as it was before it was guarded."""
    rows = csv.DictReader(io.StringIO(text, newline=""))
    return [{name: cell[1:] if guard(cell[1:]) == cell else cell for name, cell in row.items()} for row in rows]


def build_check(function: str, outcome: Outcome = Outcome.PASSED, points: float = 4.0, **fields: Any) -> CheckResult:
    """Return one check of `function`; a passed one has its points, any other none unless `score` says so."""
    score = fields.pop("score", points if outcome is Outcome.PASSED else 0.0)
    name = fields.pop("name", f"{function}.values")
    title = fields.pop("title", "values")
    return CheckResult(
        name=name, title=title, function=function, outcome=outcome, score=score, max_score=points, **fields
    )


def build_exercise(slug: str, *checks: CheckResult, pending: float = 0.0, **fields: Any) -> ExerciseResult:
    """Return an exercise whose points and outcome follow from its checks."""
    score = sum(check.score for check in checks)
    max_score = sum(check.max_score for check in checks)
    outcomes = {check.outcome for check in checks} - {Outcome.PENDING}
    outcome = outcomes.pop() if len(outcomes) == 1 else Outcome.FAILED
    title = fields.pop("title", slug.replace("_", " ").capitalize())
    settled = {"outcome": outcome, "score": score, "max_score": max_score} | fields
    return ExerciseResult(slug=slug, title=title, pending_score=pending, checks=checks, **settled)


def build_report(*exercises: ExerciseResult, **fields: Any) -> Report:
    """Return a graded report of the exercises, with neutral surroundings."""
    settled: dict[str, Any] = {
        "created_at": "2026-01-02T03:04:05Z",
        "status": "graded",
        "grader": GraderInfo(version="0.1.0", python="3.12.1", numpy="2.2.0", platform="linux"),
        "seed": 7,
        "key_digest": "ab" * 16,
        "receipt": "1f2e3d4c",
        "submission": SubmissionInfo(
            path="assignments",
            files=tuple(FileRecord(name=f"{exercise.slug}.py", sha256="0" * 64) for exercise in exercises),
        ),
        "isolation": {"level": "full", "engine": "spawn"},
        "score": sum(exercise.score for exercise in exercises),
        "max_score": sum(exercise.max_score for exercise in exercises),
        "pending_score": sum(exercise.pending_score for exercise in exercises),
        "exercises": exercises,
    }
    return Report(**(settled | fields))


def build_counterexample(**fields: Any) -> Counterexample:
    """Return the smallest failing probe of a softmax over the wrong axis."""
    settled = {
        "call": "softmax(x)",
        "inputs": "x = np.array([[1.0, 2.0], [3.0, 4.0]])",
        "student": "np.array([[0.11920292, 0.11920292], [0.88079708, 0.88079708]])",
        "expected": "np.array([[0.26894142, 0.73105858], [0.26894142, 0.73105858]])",
        "rung": "2 x 2, small integers",
    }
    return Counterexample(**(settled | fields))


def build_untouched() -> Report:
    """Return the report of the stubs as they are handed out."""
    return _whole(Outcome.NOT_ATTEMPTED)


def build_perfect() -> Report:
    """Return the report of a person who has everything right; the written answer waits."""
    return _whole(Outcome.PASSED)


def _whole(outcome: Outcome) -> Report:
    return build_report(*(_answered(exercise, outcome) for exercise in EXERCISES.values()))


def _answered(exercise: Exercise, outcome: Outcome) -> ExerciseResult:
    """Return an exercise in which every function ended alike; a written answer waits if it was handed in."""
    waits = Outcome.PENDING if outcome is Outcome.PASSED else Outcome.NOT_ATTEMPTED
    checks = [build_check(name, outcome, points) for name, points in POINTS[exercise.slug].items()]
    checks += [build_check(check.function, waits, 0.0) for check in exercise.checks if check.rule is Rule.WRITTEN]
    return build_exercise(exercise.slug, *checks, pending=exercise.pending_score, outcome=outcome)


def automatic_points(*slugs: str) -> float:
    """Return the points that the grader gives in these exercises; no slug means all of them."""
    return sum(exercise.max_score for exercise in chosen_exercises(slugs))


def written_points(*slugs: str) -> float:
    """Return the points that a person gives in these exercises; no slug means all of them."""
    return sum(exercise.pending_score for exercise in chosen_exercises(slugs))


def _points_by_name(exercise: Exercise) -> dict[str, float]:
    points: dict[str, float] = {}
    for check in exercise.checks:
        if check.rule is not Rule.WRITTEN:
            points[check.function] = points.get(check.function, 0.0) + check.points
    return points


POINTS = {slug: _points_by_name(exercise) for slug, exercise in EXERCISES.items()}

NO_SCALE = MistakeName(code="E1-01", title="the scores are not divided by the square root of d_k")
