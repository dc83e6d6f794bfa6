"""The ladders: what each exercise asks of the functions, one file an exercise, under its stem. No right answer.

They need NumPy; what the exercises ask for (`grader/exercises/<stem>.py`) does not.
"""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from grader.exercises import EXERCISES
from grader.exercises.ladders.model import Ladder

LADDERS: Mapping[str, Ladder] = MappingProxyType(
    {slug: import_module(f"{__name__}.{slug}").LADDER for slug in EXERCISES}
)
"""Every ladder by the exercise's slug."""
