"""The regions of exercise 4: how many queries for how many keys."""

from __future__ import annotations

from grader.exercises.region import NotAsked, Regions, Test, anywhere, named

_BOTH, _SCORES = ("key_distance", "biased_scores"), ("biased_scores",)

_COUNTS: dict[str, Test] = {
    "one query, one key": lambda a: a.n == a.m == 1,
    "n < m": lambda a: a.n < a.m,
    "n = m, > 1": lambda a: a.n == a.m > 1,
    "n > m": lambda a: a.n > a.m,
}

REGIONS = Regions(
    parameters={"key_distance": ("n", "m"), "biased_scores": ("scores n m", "slope")},
    asked=named(_BOTH, _COUNTS),
    not_asked=(
        *anywhere(_SCORES, "scores"),
        NotAsked(
            "no query or no key",
            ("key_distance",),
            lambda a: a.n < 1 or a.m < 1,
            "A table without rows or columns holds no distance.",
        ),
    ),
)
