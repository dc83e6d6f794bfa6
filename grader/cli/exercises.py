"""`grade exercises`: the functions that are asked for, with points."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from grader.cli.terminal import write_out
from grader.feedback.figures import count, points

if TYPE_CHECKING:
    from grader.exercises.exercise import Exercise


@click.command("exercises")
def command() -> int:
    """List the functions that are asked for, with points."""
    from grader.exercises import EXERCISES

    automatic = sum(exercise.max_score for exercise in EXERCISES.values())
    written = sum(exercise.pending_score for exercise in EXERCISES.values())
    lines = [line for exercise in EXERCISES.values() for line in _describe(exercise)]
    total = f"{count(automatic, 'point')} automatically, {points(written)} by a person."
    write_out("\n".join([*lines, total]) + "\n")
    return 0


def _describe(exercise: "Exercise") -> Iterator[str]:
    automatic, written = exercise.max_score, exercise.pending_score
    by_hand = f" and {points(written)} by a person" if written else ""
    yield f"{exercise.slug}: {exercise.title} ({count(automatic, 'point')}{by_hand})"
    for function in exercise.functions:
        worth = sum(check.points for check in exercise.checks if check.function == function.name)
        yield f"{points(worth):>6}  {function.signature}"
    yield ""
