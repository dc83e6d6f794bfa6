"""The material that every rule judges from: everything known about one asked-for function of one submission.

An exercise adds to the common judging from its own folder: rules, observations, remarks, fingerprints. The rooms point
one way: an exercise's `judging` imports this room, and this room takes what it finds there by the exercise's slug
(`grader.exercises.parts`), without the name of any function that an exercise asks for.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from grader.exercises.exercise import Check, Function
from grader.exercises.probe import Array
from grader.judging.endings import Scene
from grader.judging.verdicts import ProbeVerdict
from grader.key.answer_key import AnswerKey
from grader.report import CheckResult

Look = Callable[[Array], str]
OwnRule = Callable[[Check, "Dossier"], CheckResult]
Recogniser = Callable[[Sequence["Seen"]], bool]
Remark = Callable[[Sequence[ProbeVerdict], "Dossier"], str]


class Seen(NamedTuple):
    """One small call of a function that is wrong somewhere: its arguments, what came back, what is right."""

    args: Sequence[Any]
    items: tuple[Array, ...]
    right: tuple[Array, ...]


class Undo(NamedTuple):
    """How an answer looks once a slip is undone, for slips that show beside any other one.

    `apply` takes the arguments and the returned things of a call, and returns the things as they would be, or None
    where the slip is not there. `places` are those of the function's things that it can tell (None: all).
    """

    apply: Callable[[Sequence[Any], tuple[Array, ...]], tuple[Array, ...] | None]
    places: tuple[int, ...] | None = None


class OwnNames(NamedTuple):
    """What an exercise knows about its mistakes besides the answers that each one gives.

    `recognisers` know a mistake by the look of all calls, by function and code. They serve mistakes whose numbers the
    key cannot hold: errors of rounding, which differ between processors, and results that depend on a number that
    students choose. `undoing` is how to undo a slip, by function and code.
    """

    recognisers: Mapping[str, Mapping[str, Recogniser]] = MappingProxyType({})
    undoing: Mapping[str, Mapping[str, Undo]] = MappingProxyType({})


class OwnJudging(NamedTuple):
    """The judging of one exercise.

    `rules` judge the checks of that name whose rule is `Rule.OWN`. `looks` observe something telling in a wrong
    returned thing, by function and name of the thing; the first that has a sentence wins. `remarks` say what a check's
    wrong answers have in common where no known mistake explains them. `names` is what it knows about its mistakes.
    """

    rules: Mapping[str, OwnRule] = MappingProxyType({})
    looks: Mapping[tuple[str, str], tuple[Look, ...]] = MappingProxyType({})
    remarks: Mapping[str, Remark] = MappingProxyType({})
    names: OwnNames = OwnNames()


NOTHING_OWN = OwnJudging()


class Dossier(NamedTuple):
    """What a rule may look at: one function, all verdicts on its probes, the key, and the other functions' verdicts."""

    function: Function
    verdicts: Sequence[ProbeVerdict]
    key: AnswerKey
    scene: Scene
    others: Mapping[str, Sequence[ProbeVerdict]]
    own: OwnJudging = NOTHING_OWN

    def feeding(self, check: Check) -> list[ProbeVerdict]:
        """Return the verdicts on the probes of a check."""
        return [verdict for verdict in self.verdicts if check.name in verdict.probe.checks]

    @property
    def judged(self) -> list[ProbeVerdict]:
        """Return the verdicts that have a right value to compare with."""
        return [v for v in self.verdicts if v.probe.judged and v.probe.raises is None and not v.probe.call.echo]
