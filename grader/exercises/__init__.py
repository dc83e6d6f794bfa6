"""The exercises. A new one is a row below, and files of its stem here, in `ladders/`, `mistakes/` and `solutions/`."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from grader.exercises import gradient_chain, multi_head, third_key
from grader.exercises.model import Exercise

EXERCISES: Mapping[str, Exercise] = MappingProxyType(
    {
        "third_key": third_key.EXERCISE,
        "multi_head": multi_head.EXERCISE,
        "gradient_chain": gradient_chain.EXERCISE,
    }
)


def chosen_exercises(slugs: Sequence[str] = ()) -> tuple[Exercise, ...]:
    """Return the exercises of these slugs; none means all."""
    return tuple(EXERCISES[slug] for slug in slugs or EXERCISES)


def asked_names() -> dict[str, tuple[str, ...]]:
    """Return stem -> asked-for names, in the order of the student files."""
    return {slug: tuple(function.name for function in exercise.functions) for slug, exercise in EXERCISES.items()}
