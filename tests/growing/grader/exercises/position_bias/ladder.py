"""The ladder of exercise 4: distances of few and of many positions, scores of every shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.calls import Call
from grader.exercises.probe import Ladder, Probe, Tolerance, draw

if TYPE_CHECKING:
    import numpy as np


def _distance_probe(n: int, m: int) -> Probe:
    call = Call(f"key_distance/{n}-{m}", "key_distance", (n, m))
    return Probe(call, f"n = {n}, m = {m}", ("key_distance.values",), (Tolerance(),), seeded=False)


def _scores_probe(
    rng: np.random.Generator, name: str, size: tuple[int, int], slope: float, check: str = "values"
) -> Probe:
    call = Call(f"biased_scores/{name}", "biased_scores", (draw(rng, *size), slope), echo=check == "unmodified")
    return Probe(call, f"{size[0]} queries, {size[1]} keys", (f"biased_scores.{check}",), (Tolerance(),))


def probes(rng: np.random.Generator) -> tuple[Probe, ...]:
    """Return the ladder of the exercise, simplest first for each function."""
    return (
        *(_distance_probe(n, m) for n, m in ((1, 1), (2, 2), (3, 5), (6, 4))),
        _scores_probe(rng, "single", (1, 1), 0.5),
        _scores_probe(rng, "rectangle", (3, 5), 0.25),
        _scores_probe(rng, "square", (3, 3), 1.5),
        _scores_probe(rng, "tall", (6, 4), 0.75),
        _scores_probe(rng, "kept", (3, 4), 0.5, "unmodified"),
    )


LADDER = Ladder(
    probes,
    second={
        "key_distance": "one line; the handout says in words what it counts",
        "biased_scores": "one line; the handout says in words what is taken away",
    },
)
