"""The three verdicts on `attention_grad_q`, each shown; the check earns the best.

formula      dQ equals the analytic reference
consistency  dQ equals central differences of the student's own `attention`; the perturbed inputs stand in the key
carried      dQ equals the student's own stages on the student's own weights, each stage being right by itself

The error against the step size is read along one direction D: with R(t) = |f(Q + tD) - f(Q) - t <dQ, D>| a right
gradient has slope 2 in log R over log t, a wrong one slope 1 (Taylor's theorem).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from grader.exercises.exercise import Check
from grader.exercises.gradient_chain.own_calls import TAYLOR_STEPS, own_entries, own_id
from grader.exercises.probe import Array
from grader.judging.arrays import Band, constant_ratio, distance
from grader.judging.dossier import Dossier
from grader.judging.own_work import Verdicts, in_note_band, own_array
from grader.judging.results import result
from grader.judging.rules import describe_note, fail
from grader.judging.verdicts import ProbeVerdict
from grader.key.answer_key import HIDDEN_PREFIX
from grader.report import CheckResult, GradientEvidence, Outcome

FINE_LIMIT = 1e-6
COARSE_LIMIT = 1e-2
CARRIED_LIMIT = 1e-5
_WHOLE = "attention_grad_q"
_STAGES = ("grad_weights", "grad_scores", "grad_queries")
_STEEPEST = 8.0  # no error of a smooth loss grows faster with the step; beyond, there is nothing to learn from it


class OwnCase(NamedTuple):
    """The inputs of the case on which the student's own functions are compared, and what they gave."""

    prefix: str
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


def judge_gradient(check: Check, dossier: Dossier) -> CheckResult:
    """Judge the whole chain by its three verdicts."""
    verdicts = dossier.feeding(check)
    everyone = {**dossier.others, check.function: dossier.verdicts}
    formula = not any(verdict.is_wrong() for verdict in verdicts)
    cases = _own_cases(dossier.verdicts)
    consistency = _all([_consistent(case, everyone) for case in cases])
    carried = _all([_carried(case, everyone) for case in cases])
    steps = _error_by_step(cases[0], everyone) if cases else ()
    evidence = GradientEvidence(
        formula=formula,
        consistency=consistency,
        carried=carried,
        first_wrong_link=None if formula else _first_wrong_link(everyone, verdicts),
        error_by_step=steps,
        slope=_slope(steps),
    )
    place = dossier.scene.place
    if formula:
        return result(check, Outcome.PASSED, describe_note(verdicts, check), location=place, evidence=evidence)
    if consistency or carried:
        said = _inheritance(consistency, carried)
        return result(check, Outcome.PASSED, said, location=place, evidence=evidence, inherited=True)
    if not any(verdict.returned for verdict in verdicts):
        failed = fail(check, dossier, verdicts)
        return failed.model_copy(update={"evidence": evidence})
    failing = [verdict for verdict in verdicts if verdict.is_wrong()]
    if _holds_in_public(verdicts, cases, everyone):
        # A public probe may fail the formula and still be earned by the public case of the student's own work.
        hidden = [verdict for verdict in failing if verdict.probe.hidden]
        return fail(check, dossier, hidden or _hidden_own(dossier.verdicts))
    failed = fail(check, dossier, failing)
    compared = failed.outcome is Outcome.FAILED and not failed.flags
    message = f"{failed.message} {_verdict_words(evidence)}" if compared else failed.message
    hints = (message, *failed.hints[1:])
    return failed.model_copy(update={"message": message, "hints": hints, "evidence": evidence})


def _holds_in_public(verdicts: Sequence[ProbeVerdict], cases: Sequence[OwnCase], everyone: Verdicts) -> bool:
    """Whether the student's own run, which has the public probes alone, gives the points."""
    public = [case for case in cases if not case.prefix]
    formula = not any(verdict.is_wrong() for verdict in verdicts if not verdict.probe.hidden)
    own = (_all([judge(case, everyone) for case in public]) for judge in (_consistent, _carried))
    return len(public) < len(cases) and (formula or any(own))


def _hidden_own(verdicts: Sequence[ProbeVerdict]) -> list[ProbeVerdict]:
    return [verdict for verdict in verdicts if verdict.probe.id == own_id("dQ", hidden_prefix=HIDDEN_PREFIX)]


def _all(verdicts: Sequence[bool | None]) -> bool | None:
    return None if not verdicts or None in verdicts else all(verdicts)


def _inheritance(consistency: bool | None, carried: bool | None) -> str:  # noqa: FBT001 (a pair of verdicts)
    if carried:
        return "Right on your own weights: it inherits what your own `attention` gives, and loses nothing for it."
    assert consistency  # noqa: S101 (one of the two holds)
    return "The derivative of your own `attention`: it inherits what that gives, and loses nothing for it."


def _own_cases(verdicts: Sequence[ProbeVerdict]) -> list[OwnCase]:
    cases = []
    for verdict in verdicts:
        prefix = HIDDEN_PREFIX if verdict.probe.hidden else ""
        if verdict.probe.id != own_id("dQ", hidden_prefix=prefix):
            continue
        Q, K, V, dO = verdict.probe.call.args
        dQ = own_array({_WHOLE: verdicts}, _WHOLE, verdict.probe.id)
        cases.append(OwnCase(prefix, Q, K, V, dO, dQ if dQ is not None and dQ.shape == Q.shape else None))
    return cases


def _loss(case: OwnCase, everyone: Verdicts, name: str) -> float | None:
    output = own_array(everyone, "attention", own_id(name, hidden_prefix=case.prefix), 0)
    return None if output is None or output.shape != case.dO.shape else float(np.sum(case.dO * output))


def _moved(case: OwnCase, everyone: Verdicts, name: str) -> Array:
    wanted = own_id(name, hidden_prefix=case.prefix)
    moved: Array = next(v for v in everyone["attention"] if v.probe.id == wanted).probe.call.args[0]
    return moved


def _consistent(case: OwnCase, everyone: Verdicts) -> bool | None:
    """Compare dQ with central differences; None where the forward cannot be differentiated."""
    single = in_note_band(everyone.get("attention", ()))
    kind, limit = ("coarse", COARSE_LIMIT) if single else ("fine", FINE_LIMIT)
    slopes = np.empty(case.Q.shape)
    for i, j in own_entries():
        up, down = (_loss(case, everyone, f"{kind}/{i},{j}/{side}") for side in ("up", "down"))
        if up is None or down is None:
            return None
        span = _moved(case, everyone, f"{kind}/{i},{j}/up")[i, j] - _moved(case, everyone, f"{kind}/{i},{j}/down")[i, j]
        slopes[i, j] = (up - down) / span
    return _agree(case, slopes, limit)


def _carried(case: OwnCase, everyone: Verdicts) -> bool | None:
    """Compare dQ with the student's own stages on the student's own weights."""
    for stage in _STAGES:
        judged = [verdict for verdict in everyone.get(stage, ()) if verdict.probe.judged]
        if not judged or any(verdict.band() is Band.WRONG for verdict in judged):
            return None
    if not _weights_follow(case, everyone):
        return None
    own = own_array(everyone, "grad_queries", own_id("carried", hidden_prefix=case.prefix))
    return None if own is None or own.shape != case.Q.shape else _agree(case, own, CARRIED_LIMIT)


def _weights_follow(case: OwnCase, everyone: Verdicts) -> bool:
    """Whether the student's weights change with Q: a constant forward leaves nothing to carry."""
    here, there = (
        own_array(everyone, "attention", own_id(name, hidden_prefix=case.prefix), 1) for name in ("forward", "taylor/0")
    )
    return here is not None and there is not None and here.shape == there.shape and not np.allclose(here, there)


def _agree(case: OwnCase, other: Array, limit: float) -> bool | None:
    # A forward that does not follow Q has a vanishing derivative, which proves nothing about dQ; nor does one so large
    # that differences of it overflow.
    if not np.all(np.isfinite(other)) or not float(np.abs(other).max()) >= 1e-3 * case.natural:
        return None
    if case.dQ is None:
        return False
    return distance(case.dQ, other) <= limit * max(float(np.abs(other).max()), 1e-3 * case.natural)


def _error_by_step(case: OwnCase, everyone: Verdicts) -> tuple[tuple[float, float], ...]:
    base = _loss(case, everyone, "forward")
    if base is None or case.dQ is None:
        return ()
    direction = (_moved(case, everyone, "taylor/0") - case.Q) / TAYLOR_STEPS[0]
    along = float(np.sum(case.dQ * direction))
    points = []
    for k, t in enumerate(TAYLOR_STEPS):
        loss = _loss(case, everyone, f"taylor/{k}")
        if loss is None:
            return ()
        points.append((t, abs(loss - base - t * along)))
    return tuple(points) if np.all(np.isfinite(points)) else ()


def _slope(points: Sequence[tuple[float, float]]) -> float | None:
    if not points or any(error <= 1e-13 for _, error in points):  # noqa: PLR2004 (rounding: no slope to read)
        return None
    steps, errors = np.log([step for step, _ in points]), np.log([error for _, error in points])
    return round(float(np.polyfit(steps, errors, 1)[0]), 2)


def _first_wrong_link(everyone: Verdicts, verdicts: Sequence[ProbeVerdict]) -> str | None:
    """Return the first stage from dO to dQ that is wrong by itself; with all right, one wrong factor is the scale."""
    for stage, link in zip(_STAGES, ("values matmul", "softmax Jacobian", None), strict=True):
        wrong = [v for v in everyone.get(stage, ()) if v.probe.judged and v.returned and v.band() is Band.WRONG]
        if wrong:
            return link or ("scale" if _one_factor(wrong) else "scores matmul")
    return "scale" if _one_factor([verdict for verdict in verdicts if verdict.band() is Band.WRONG]) else None


def _one_factor(verdicts: Sequence[ProbeVerdict]) -> bool:
    return bool(verdicts) and all(v.items and constant_ratio(v.items[0]) is not None for v in verdicts)


def _verdict_words(evidence: GradientEvidence) -> str:
    words = {True: "yes", False: "no", None: "cannot be told"}
    said = (
        f"Equal to the analytic gradient: {words[evidence.formula]}; to differences of your own attention: "
        f"{words[evidence.consistency]}; to your own stages: {words[evidence.carried]}."
    )
    if evidence.first_wrong_link:
        said += f" First wrong link: {evidence.first_wrong_link}."
    if evidence.slope is not None and abs(evidence.slope) < _STEEPEST:
        factor = 2**evidence.slope
        said += f" Halving the step divides the error of your gradient by {factor:.1f} (a right one: by 4)."
    return said
