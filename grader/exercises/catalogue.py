"""Every known mistake by its code, over all exercises."""

from collections.abc import Mapping
from types import MappingProxyType

from grader.exercises import EXERCISES
from grader.exercises.model import Mistake

CATALOGUE: Mapping[str, Mistake] = MappingProxyType(
    {mistake.code: mistake for exercise in EXERCISES.values() for mistake in exercise.mistakes}
)
