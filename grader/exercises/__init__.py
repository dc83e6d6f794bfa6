"""The exercises. A new one is a file here, a row below, and a file of the same stem in `solutions/`."""

from collections.abc import Mapping
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


def asked_names() -> dict[str, tuple[str, ...]]:
    """Return stem -> asked-for names, in the order of the student files."""
    return {slug: tuple(function.name for function in exercise.functions) for slug, exercise in EXERCISES.items()}
