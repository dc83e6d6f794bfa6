"""The exercises: one folder each, named by its stem, and a row below.

`asked.py` says what is asked, with points; `parts` says what else lies in the folder. The same stem names the model
answer in `solutions/` and the student file in `assignments/`.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from grader.exercises.exercise import Exercise
from grader.exercises.gradient_chain.asked import EXERCISE as GRADIENT_CHAIN
from grader.exercises.multi_head.asked import EXERCISE as MULTI_HEAD
from grader.exercises.third_key.asked import EXERCISE as THIRD_KEY

EXERCISES: Mapping[str, Exercise] = MappingProxyType(
    {
        "third_key": THIRD_KEY,
        "multi_head": MULTI_HEAD,
        "gradient_chain": GRADIENT_CHAIN,
    }
)


def chosen_exercises(slugs: Sequence[str] = ()) -> tuple[Exercise, ...]:
    """Return the exercises of these slugs; none means all."""
    return tuple(EXERCISES[slug] for slug in slugs or EXERCISES)


def asked_names() -> dict[str, tuple[str, ...]]:
    """Return stem -> asked-for names, in the order of the student files."""
    return {slug: tuple(function.name for function in exercise.functions) for slug, exercise in EXERCISES.items()}


def with_foundations(names: Sequence[str]) -> list[str]:
    """Return asked-for names together with the functions that a check of theirs builds on: those are judged first."""
    checks = [check for exercise in EXERCISES.values() for check in exercise.checks]
    below = [check.builds_on for check in checks if check.function in names and check.builds_on is not None]
    return list(dict.fromkeys([*names, *below]))
