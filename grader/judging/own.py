"""What an exercise adds to the common judging, from its own folder: rules, observations, remarks, fingerprints.

The rooms point one way: an exercise's `judging` imports this room, and this room takes what it finds there by the
exercise's slug (`grader.exercises.parts`), without a name of any function that an exercise asks for.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from grader.exercises.probe import Array

if TYPE_CHECKING:
    from grader.exercises.exercise import Check
    from grader.judging.dossier import Dossier
    from grader.judging.verdicts import ProbeVerdict
    from grader.report import CheckResult

    OwnRule = Callable[[Check, Dossier], CheckResult]
    Remark = Callable[[Sequence[ProbeVerdict], Dossier], str]
else:  # names for annotations alone: importing them here would close a circle
    OwnRule = Remark = Callable

Look = Callable[[Array], str]
Recogniser = Callable[[Sequence[Array]], bool]


class OwnJudging(NamedTuple):
    """The judging of one exercise.

    `rules` judge the checks of that name whose rule is `Rule.OWN`. `looks` observe something telling in a wrong
    returned thing, by function and name of the thing; the first that has a sentence wins. `remarks` say what a check's
    wrong answers have in common where no known mistake explains them. `recognisers` know a mistake by the look of its
    numbers, by its code: one whose numbers are errors of rounding gives others on each processor.
    """

    rules: Mapping[str, OwnRule] = MappingProxyType({})
    looks: Mapping[tuple[str, str], tuple[Look, ...]] = MappingProxyType({})
    remarks: Mapping[str, Remark] = MappingProxyType({})
    recognisers: Mapping[str, Recogniser] = MappingProxyType({})


NOTHING_OWN = OwnJudging()
