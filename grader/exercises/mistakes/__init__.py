"""The catalogue of known mistakes: codes, titles, hints. No right answer and nothing to run.

There is a file for each exercise, under its stem, and files by subject, which these import.
What each mistake would answer stands in `solutions/mistakes/`, under the same codes.
"""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from grader.exercises import EXERCISES
from grader.exercises.model import Mistake

MISTAKES: Mapping[str, tuple[Mistake, ...]] = MappingProxyType(
    {slug: import_module(f"{__name__}.{slug}").MISTAKES for slug in EXERCISES}
)

CATALOGUE: Mapping[str, Mistake] = MappingProxyType(
    {mistake.code: mistake for mistakes in MISTAKES.values() for mistake in mistakes}
)
"""Every known mistake by its code."""
