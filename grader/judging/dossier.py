"""What the rules have before them: everything known about one asked-for function of one submission."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from grader.exercises.exercise import Check, Function
from grader.judging.endings import Scene
from grader.judging.own import NOTHING_OWN, OwnJudging
from grader.judging.verdicts import ProbeVerdict
from grader.key.answer_key import AnswerKey


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
