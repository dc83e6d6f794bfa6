"""What lies in an exercise's folder beside what is asked, imported when it is needed.

    asked.py      functions, checks with points                       (imported by `grader.exercises`)
    ladder.py     LADDER: the probes; needs NumPy                     (whoever builds a key)
    regions.py    REGIONS: where the ladder has to look; needs NumPy  (whoever proves the grader)
    mistakes      MISTAKES: codes, titles, hints                      (whoever gives a name)
    judging       JUDGING: rules and remarks of this exercise alone   (whoever judges; optional)

A student's own run loads a frozen key, so it needs no ladder, and most runs need no hints.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from grader.exercises.exercise import Exercise, Mistake

if TYPE_CHECKING:
    from grader.exercises.probe import Ladder
    from grader.exercises.region import Regions
    from grader.judging.dossier import OwnJudging


def ladder_of(exercise: Exercise) -> "Ladder":
    """Return the exercise's ladder of probes."""
    ladder: Ladder = _part(exercise, "ladder").LADDER
    return ladder


def regions_of(exercise: Exercise) -> "Regions":
    """Return the regions that the exercise's ladder has to look at."""
    regions: Regions = _part(exercise, "regions").REGIONS
    return regions


def mistakes_of(exercise: Exercise) -> tuple[Mistake, ...]:
    """Return the exercise's known mistakes."""
    mistakes: tuple[Mistake, ...] = _part(exercise, "mistakes").MISTAKES
    return mistakes


def judging_of(exercise: Exercise) -> "OwnJudging | None":
    """Return the judging that only this exercise has; None where the common rules are enough."""
    if find_spec(f"{__package__}.{exercise.slug}.judging") is None:
        return None
    judging: OwnJudging = _part(exercise, "judging").JUDGING
    return judging


def _part(exercise: Exercise, name: str) -> Any:
    return import_module(f"{__package__}.{exercise.slug}.{name}")
