"""Every ladder by the exercise's slug."""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from grader.exercises import EXERCISES
from grader.exercises.ladders.model import Ladder

LADDERS: Mapping[str, Ladder] = MappingProxyType(
    {slug: import_module(f"{__package__}.{slug}").LADDER for slug in EXERCISES}
)
