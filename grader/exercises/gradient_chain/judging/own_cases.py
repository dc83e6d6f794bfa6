"""The student's dQ held against the student's own work, on the cases whose calls stand in the key.

consistency  dQ along one direction equals central differences of the student's own `attention`
carried      dQ equals the student's own stages on the student's own weights, each stage being right by itself

Each verdict is None where it cannot be told: a call gave nothing, or the student's weights do not follow Q at all, and
then they prove nothing about dQ. With a single query the weights may stand still, as they do under a causal mask.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from grader.exercises.gradient_chain.own_calls import OWN_CASES, own_id
from grader.exercises.probe import Array
from grader.judging.arrays import distance
from grader.judging.hidden import only_public
from grader.judging.own_work import (
    OwnCalls,
    Verdicts,
    always_averages,
    averages,
    by_call,
    in_note_band,
    is_wrong_somewhere,
    own_array,
    weights_follow,
)
from grader.judging.verdicts import ProbeVerdict
from grader.key.answer_key import HIDDEN_PREFIX

STAGES = ("grad_weights", "grad_scores", "grad_queries")
_WHOLE, _FORWARD = "attention_grad_q", "attention"
_LIMITS = {"fine": 1e-6, "coarse": 1e-2}
_CARRIED_LIMIT = 1e-5
_SMALLEST = 1e-3  # of its natural size: a smaller gradient is taken for one that vanishes
_STANDS_STILL = 1e-4  # of what weights change by along a step


class OwnCase(NamedTuple):
    """The inputs of a case on which the student's own functions are compared, and what they gave."""

    name: str
    prefix: str
    calls: OwnCalls
    Q: Array
    K: Array
    V: Array
    dO: Array
    dQ: Array | None

    @property
    def natural(self) -> float:
        """The size that a gradient of these inputs has: max|dO| max|V| max|K| / sqrt(d_k)."""
        largest = float(np.abs(self.dO).max() * np.abs(self.V).max() * np.abs(self.K).max())
        return largest / float(np.sqrt(self.Q.shape[1]))

    @property
    def may_stand_still(self) -> bool:
        """Whether own weights that do not follow Q are no sign of a forward without sense: there is one query."""
        return len(self.Q) == 1

    @property
    def own_calls(self) -> list[ProbeVerdict]:
        """Every call of this case."""
        return [verdict for name, verdict in self.calls.items() if name.startswith(self.id(""))]

    def id(self, name: str) -> str:
        """Return the id of a call of this case."""
        return own_id(self.name, name, hidden_prefix=self.prefix)

    def loss(self, name: str) -> float | None:
        """Return sum(dO * output) of a call of the student's `attention`; None where there is no such output."""
        output = own_array(self.calls, self.id(name), 0)
        return (
            None
            if output is None or output.size != self.dO.size
            else float(np.sum(self.dO * output.reshape(self.dO.shape)))
        )

    def asked(self, name: str) -> Array:
        """Return the Q of a call."""
        asked: Array = self.calls[self.id(name)].probe.call.args[0]
        return asked


class OwnWork(NamedTuple):
    """What the comparisons came to, over all cases.

    `wrong`: the student's `attention` is itself judged wrong. `weighs`: it averages values, with weights that follow Q
    and K, wherever it is judged and on the compared cases; this is told only where everything else is so.
    """

    consistency: bool | None = None
    carried: bool | None = None
    wrong: bool = False
    weighs: bool = False

    @property
    def holds(self) -> bool:
        """Whether dQ follows from the student's own work, whatever that is worth."""
        return bool(self.consistency or self.carried)

    @property
    def earns(self) -> bool:
        """Whether that is worth the points: only on top of a wrong `attention` that is one."""
        return self.holds and self.wrong and self.weighs


def find_cases(everyone: Verdicts, *, hidden: bool) -> list[OwnCase]:
    """Return the public or the hidden cases that were asked."""
    calls = by_call(everyone, (_WHOLE, _FORWARD, *STAGES))
    prefix = HIDDEN_PREFIX if hidden else ""
    cases = []
    for name in OWN_CASES:
        verdict = calls.get(own_id(name, "dQ", hidden_prefix=prefix))
        if verdict is not None:
            Q, K, V, dO = verdict.probe.call.args
            dQ = own_array(calls, verdict.probe.id)
            cases.append(
                OwnCase(name, prefix, calls, Q, K, V, dO, dQ if dQ is not None and dQ.shape == Q.shape else None)
            )
    return cases


def compare_own_work(cases: Sequence[OwnCase], everyone: Verdicts, *, hidden: bool) -> OwnWork:
    """Compare dQ with the student's own work on these cases; `hidden`: judge the functions by hidden probes, too."""
    seen = everyone if hidden else {name: only_public(verdicts) for name, verdicts in everyone.items()}
    forward = seen.get(_FORWARD, ())
    kind = "coarse" if in_note_band(forward) else "fine"
    stages = _stages_are_right(seen)
    own = OwnWork(
        consistency=_all([_is_consistent(case, kind) for case in cases]),
        carried=_all([_is_carried(case) if stages else None for case in cases]),
        wrong=is_wrong_somewhere(forward),
    )
    # The rest takes as long again, and matters only where something might be earned.
    if not (own.holds and own.wrong):
        return own
    return own._replace(weighs=always_averages(forward) and all(_weighs(case) for case in cases))


def _all(verdicts: Sequence[bool | None]) -> bool | None:
    return None if not verdicts or None in verdicts else all(verdicts)


def _stages_are_right(seen: Verdicts) -> bool:
    judged = [[verdict for verdict in seen.get(stage, ()) if verdict.probe.judged] for stage in STAGES]
    return all(verdicts and not any(v.is_wrong() for v in verdicts) for verdicts in judged)


def _weighs(case: OwnCase) -> bool:
    forward = [verdict for verdict in case.own_calls if verdict.probe.call.function == _FORWARD]
    return all(map(averages, forward)) and (case.may_stand_still or _follows(case, "queries", "keys"))


def _follows(case: OwnCase, *turned: str) -> bool:
    return weights_follow(case.calls, case.id("forward"), map(case.id, turned))


def _is_consistent(case: OwnCase, kind: str) -> bool | None:
    """Compare dQ along the step with the difference that the step makes."""
    up, down = (case.loss(f"{kind}/{side}") for side in ("up", "down"))
    if up is None or down is None or not np.isfinite(up - down):
        return None
    moved = case.asked(f"{kind}/up") - case.asked(f"{kind}/down")
    reach = float(np.abs(moved).max())
    weights = [own_array(case.calls, case.id(f"{kind}/{side}"), 1) for side in ("up", "down")]
    if not case.may_stand_still and _stand_still(weights, _STANDS_STILL * reach):
        return None
    if case.dQ is None:
        return False
    limit = _LIMITS[kind] * max(abs(up - down), 0.1 * case.natural * reach)
    return bool(abs(float(np.sum(case.dQ * moved)) - (up - down)) <= limit)


def _stand_still(weights: Sequence[Array | None], least: float) -> bool:
    one, other = weights
    return one is None or other is None or one.shape != other.shape or not distance(one, other) > least


def _is_carried(case: OwnCase) -> bool | None:
    """Compare dQ with the student's own stages on the student's own weights."""
    own = own_array(case.calls, case.id("carried"))
    if own is None or own.shape != case.Q.shape:
        return None
    if not case.may_stand_still and not (
        float(np.abs(own).max()) >= _SMALLEST * case.natural and _follows(case, "queries")
    ):
        return None
    if case.dQ is None:
        return False
    return distance(case.dQ, own) <= _CARRIED_LIMIT * max(float(np.abs(own).max()), _SMALLEST * case.natural)
