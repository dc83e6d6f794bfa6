"""The catalogue of known mistakes: codes, titles, hints. No right answer and nothing to run.

The rows stand in the exercises' folders. What each mistake would answer stands in `solutions/mistakes/`, under the
same codes.
"""

from collections.abc import Mapping
from types import MappingProxyType

from grader.exercises import EXERCISES
from grader.exercises.exercise import Mistake
from grader.exercises.parts import mistakes_of

MISTAKES: Mapping[str, tuple[Mistake, ...]] = MappingProxyType(
    {slug: mistakes_of(exercise) for slug, exercise in EXERCISES.items()}
)

CATALOGUE: Mapping[str, Mistake] = MappingProxyType(
    {mistake.code: mistake for mistakes in MISTAKES.values() for mistake in mistakes}
)
"""Every known mistake by its code."""
