"""The three verdicts on `attention_grad_q`, each shown.

formula      dQ equals the analytic reference; beside an `attention` that is right, this alone decides
consistency  dQ equals central differences of the student's own `attention`     (see `own_cases`)
carried      dQ equals the student's own stages on the student's own weights    (the same)

The error against the step size is read along one direction D: with R(t) = |f(Q + tD) - f(Q) - t <dQ, D>| a right
gradient has slope 2 in log R over log t, a wrong one slope 1 (Taylor's theorem).
"""

from collections.abc import Sequence

import numpy as np

from grader.calls import Ended
from grader.exercises.exercise import Check
from grader.exercises.gradient_chain.judging.own_cases import STAGES, OwnCase, OwnWork, compare_own_work, find_cases
from grader.exercises.gradient_chain.own_calls import TAYLOR_STEPS
from grader.judging.arrays import Band, constant_ratio
from grader.judging.dossier import Dossier
from grader.judging.hidden import fail_hidden, only_public
from grader.judging.own_work import Verdicts
from grader.judging.results import result
from grader.judging.rules import describe_note, fail
from grader.judging.verdicts import ProbeVerdict
from grader.report import CheckResult, GradientEvidence, Outcome

_CUT_OFF = (Ended.TIMEOUT, Ended.CRASHED, Ended.MEMORY, Ended.LOST)
_STEEPEST = 8.0  # no error of a smooth loss grows faster with the step; beyond, there is nothing to learn from it


def judge_gradient(check: Check, dossier: Dossier) -> CheckResult:
    """Judge the whole chain by its three verdicts. What a student reads is made from the public cases alone."""
    verdicts = dossier.feeding(check)
    everyone = {**dossier.others, check.function: dossier.verdicts}
    failing = [verdict for verdict in verdicts if verdict.is_wrong()]
    failing_in_public = only_public(failing)
    public, hidden = (find_cases(everyone, hidden=side) for side in (False, True))
    own = compare_own_work(public, everyone, hidden=False)
    evidence = _evidence(own, public, everyone, failing_in_public)
    place = dossier.scene.place
    if not failing:
        return result(check, Outcome.PASSED, describe_note(verdicts, check), location=place, evidence=evidence)
    if failing_in_public and not own.earns:
        return _describe(fail(check, dossier, failing_in_public), own, evidence)
    if own.earns and compare_own_work([*public, *hidden], everyone, hidden=True).earns:
        return result(check, Outcome.PASSED, _say_what_follows(own), location=place, evidence=evidence, inherited=True)
    # The student's own run, which has the public probes alone, gives the points.
    return fail_hidden(check, dossier, _fail_in_hidden(hidden, failing, own))


def _fail_in_hidden(hidden: Sequence[OwnCase], failing: Sequence[ProbeVerdict], own: OwnWork) -> Sequence[ProbeVerdict]:
    """Return the hidden calls that cost the points: those of the own work that were cut off, else the wrong ones."""
    cut_off = [verdict for case in hidden for verdict in case.own_calls if verdict.reply.ended in _CUT_OFF]
    wrong = [verdict for verdict in failing if verdict.probe.hidden]
    return (cut_off if own.earns else []) or wrong or [case.calls[case.id("dQ")] for case in hidden]


def _evidence(
    own: OwnWork, cases: Sequence[OwnCase], everyone: Verdicts, failing: Sequence[ProbeVerdict]
) -> GradientEvidence:
    steps = _error_by_step(cases[0]) if cases else ()
    return GradientEvidence(
        formula=not failing,
        consistency=own.consistency,
        carried=own.carried,
        first_wrong_link=_first_wrong_link(everyone, failing) if failing else None,
        error_by_step=steps,
        slope=_slope(steps),
    )


def _say_what_follows(own: OwnWork) -> str:
    if own.carried:
        return "Right on your own weights: it inherits what your own `attention` gives, and loses nothing for it."
    return "The derivative of your own `attention`: it inherits what that gives, and loses nothing for it."


def _describe(failed: CheckResult, own: OwnWork, evidence: GradientEvidence) -> CheckResult:
    """Return a failed check with its three verdicts, where there is anything to compare."""
    if failed.outcome is not Outcome.FAILED:
        return failed.model_copy(update={"evidence": evidence})
    message = f"{failed.message} {_verdict_words(evidence)}{_why_not(own)}"
    return failed.model_copy(update={"message": message, "hints": (message, *failed.hints[1:]), "evidence": evidence})


def _why_not(own: OwnWork) -> str:
    """Say why nothing is earned by what follows from the student's own work, where something does."""
    if not own.holds:
        return ""
    if not own.wrong:
        return " Your own `attention` is not wrong, so the analytic gradient alone decides."
    return " Nothing is inherited from an `attention` that does not return the weights and the values averaged by them."


def _error_by_step(case: OwnCase) -> tuple[tuple[float, float], ...]:
    base = case.loss("forward")
    if base is None or case.dQ is None:
        return ()
    direction = (case.asked("taylor/0") - case.Q) / TAYLOR_STEPS[0]
    along = float(np.sum(case.dQ * direction))
    points = []
    for k, t in enumerate(TAYLOR_STEPS):
        loss = case.loss(f"taylor/{k}")
        if loss is None:
            return ()
        points.append((t, abs(loss - base - t * along)))
    return tuple(points) if np.all(np.isfinite(points)) else ()


def _slope(points: Sequence[tuple[float, float]]) -> float | None:
    if not points or any(error <= 1e-13 for _, error in points):  # noqa: PLR2004 (rounding: no slope to read)
        return None
    steps, errors = np.log([step for step, _ in points]), np.log([error for _, error in points])
    return round(float(np.polyfit(steps, errors, 1)[0]), 2)


def _first_wrong_link(everyone: Verdicts, failing: Sequence[ProbeVerdict]) -> str | None:
    """Return the first stage from dO to dQ that is wrong by itself; with all right, one wrong factor is the scale."""
    for stage, link in zip(STAGES, ("values matmul", "softmax Jacobian", None), strict=True):
        judged = [verdict for verdict in only_public(everyone.get(stage, ())) if verdict.probe.judged]
        wrong = [verdict for verdict in judged if verdict.returned and verdict.band() is Band.WRONG]
        if wrong:
            return link or ("scale" if _is_one_factor(wrong) else "scores matmul")
    return "scale" if _is_one_factor(failing) else None


def _is_one_factor(verdicts: Sequence[ProbeVerdict]) -> bool:
    # The broad probes hold much at once: one feature, where the scale is 1, or inputs in single precision.
    small = [verdict for verdict in verdicts if verdict.probe.naming]
    return bool(small) and all(v.items and constant_ratio(v.items[0]) is not None for v in small)


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
