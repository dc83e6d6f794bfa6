"""One function a rule: from the verdicts on a function's probes to the result of one check.

What a student reads comes from the smallest failing public probe. A check that fails on hidden probes alone says
only that, and carries the hidden probe for the instructor.
"""

from collections.abc import Sequence
from typing import Any

from grader.calls import Ended
from grader.exercises.exercise import Check
from grader.judging.arrays import Band
from grader.judging.counterexamples import make_counterexample, make_evidence, parameters
from grader.judging.dossier import Dossier
from grader.judging.endings import end_call, first_failing, flag_doubts
from grader.judging.hidden import fail_hidden, only_public
from grader.judging.observations import observe, suggest
from grader.judging.results import end, result
from grader.judging.verdicts import ProbeVerdict
from grader.report import CheckResult, Outcome

# A call that never took place has no result to show in a counterexample.
_NO_CALL = (Ended.SKIPPED, Ended.LOST, Ended.MISSING)


def judge_values(check: Check, dossier: Dossier) -> CheckResult:
    """Judge that all probes of the check are right, some perhaps with a note."""
    verdicts = dossier.feeding(check)
    failing = [verdict for verdict in verdicts if verdict.is_wrong(check.items)]
    if not failing:
        return result(check, Outcome.PASSED, describe_note(verdicts, check), location=dossier.scene.place)
    return fail(check, dossier, failing)


def describe_note(verdicts: Sequence[ProbeVerdict], check: Check) -> str:
    """Say why right values are not right to the last digits; empty where they are."""
    noted = [verdict for verdict in only_public(verdicts) if verdict.band(check.items) is Band.NOTE]
    if not noted:
        return ""
    item = max((item for item in noted[0].items if item.band is Band.NOTE), key=lambda item: item.error or 0.0)
    if item.single and item.received is not None:
        return f"Right to single precision: the result is {item.received.dtype}. Full marks."
    return f"Right to about {item.error or 0.0:.0e} of the scale, less than double precision gives. Full marks."


def fail(check: Check, dossier: Dossier, failing: Sequence[ProbeVerdict]) -> CheckResult:
    """Return the result of a check with failing probes, worded after the smallest public one."""
    worst = first_failing(failing)
    assert worst is not None  # noqa: S101 (callers pass at least one)
    if worst.probe.hidden:
        return fail_hidden(check, dossier, failing)
    if worst.returned:
        message = observe(worst, dossier, check.items)
        return _show(check, dossier, worst, message, evidence=make_evidence(worst, check.items))
    ending = end_call(worst, dossier.scene)
    called = worst.reply.ended not in _NO_CALL and ending.outcome is not Outcome.SKIPPED
    shown = make_counterexample(worst, dossier.function, dossier.key.answers.get(worst.probe.id)) if called else None
    return end(check, ending, counterexample=shown)


def _show(check: Check, dossier: Dossier, worst: ProbeVerdict, message: str, **more: Any) -> CheckResult:
    """Return the result of a check that this probe fails; of a hidden probe a student reads nothing but that."""
    if worst.probe.hidden:
        return fail_hidden(check, dossier, [worst])
    shown = make_counterexample(worst, dossier.function, dossier.key.answers.get(worst.probe.id))
    failed = result(check, Outcome.FAILED, message, location=dossier.scene.place, counterexample=shown, **more)
    experiment = suggest(worst)
    return failed.model_copy(update={"hints": (message, experiment)}) if experiment else failed


def judge_form(check: Check, dossier: Dossier) -> CheckResult:
    """Judge container, shape and kind of number on all value probes; at least one of them has to return something."""
    returned = [verdict for verdict in dossier.judged if verdict.returned]
    odd = [verdict for verdict in returned if verdict.form]
    if odd:
        worst = first_failing(odd)
        assert worst is not None  # noqa: S101 (there is one)
        return _show(check, dossier, worst, f"{worst.form} ({worst.probe.rung}).")
    if returned:
        return result(check, Outcome.PASSED, location=dossier.scene.place)
    return _end_first(check, dossier, dossier.judged)


def _end_first(check: Check, dossier: Dossier, verdicts: Sequence[ProbeVerdict]) -> CheckResult:
    worst = first_failing(verdicts)
    assert worst is not None  # noqa: S101 (every function has probes)
    return end(check, end_call(worst, dossier.scene))


def judge_unmodified(check: Check, dossier: Dossier) -> CheckResult:
    """Judge that the arguments are the same after the call, and that read-only ones are accepted."""
    waiting = _wait(check, dossier)
    if waiting is not None:
        return waiting
    for verdict in dossier.feeding(check):
        if verdict.refused:
            message = f"`{check.function}` writes into an argument: a read-only array was refused."
            return _show(check, dossier, verdict, message)
        if verdict.modified:
            names = parameters(dossier.function.signature)
            changed = " and ".join(names[k] for k in verdict.modified)
            holds = "arrays hold" if len(verdict.modified) > 1 else "array holds"
            message = f"`{check.function}` changes {changed} in place: the caller's {holds} other numbers afterwards."
            return _show(check, dossier, verdict, message)
        if not verdict.returned:
            return _stop(check, dossier, verdict)
    return result(check, Outcome.PASSED, location=dossier.scene.place)


def judge_raises(check: Check, dossier: Dossier) -> CheckResult:
    """Judge that the promised exception came, or one of its subclasses, and only where it is promised.

    A function that refuses valid calls, too, has not looked at what it refuses: it earns nothing for the bad ones.
    """
    waiting = _wait(check, dossier)
    if waiting is not None:
        return waiting
    feeding = dossier.feeding(check)
    promises = {verdict.probe.raises for verdict in feeding if verdict.probe.raises is not None}
    valid = [verdict for verdict in dossier.verdicts if verdict.probe.judged and verdict.probe.raises is None]
    refused = first_failing([v for v in valid if any(_raised(v, promised) for promised in promises)])
    if refused is not None:
        kind = refused.reply.error.type if refused.reply.error is not None else ""
        message = (
            f"`{check.function}` raises {kind} for a valid call, too ({refused.probe.rung}): "
            "refusing bad calls counts where good ones are answered."
        )
        return _show(check, dossier, refused, message)
    for verdict in feeding:
        error, promised = verdict.reply.error, verdict.probe.raises
        if _raised(verdict, promised):
            continue
        if verdict.returned:
            message = f"`{check.function}` returns a value for {verdict.probe.rung}, where {promised} is promised."
        elif verdict.reply.ended is Ended.RAISED and error is not None and error.type != "NotImplementedError":
            message = f"`{check.function}` raises {error.type} for {verdict.probe.rung}, where {promised} is promised."
        else:
            return _stop(check, dossier, verdict)
        return _show(check, dossier, verdict, message)
    return result(check, Outcome.PASSED, location=dossier.scene.place)


def _raised(verdict: ProbeVerdict, promised: str | None) -> bool:
    error = verdict.reply.error
    return verdict.reply.ended is Ended.RAISED and error is not None and promised in (error.type, *error.bases)


def _stop(check: Check, dossier: Dossier, verdict: ProbeVerdict) -> CheckResult:
    """Return the result of a check whose call gave nothing; what a hidden call said stays hidden."""
    if verdict.probe.hidden:
        return fail_hidden(check, dossier, [verdict])
    return end(check, end_call(verdict, dossier.scene))


def _wait(check: Check, dossier: Dossier) -> CheckResult | None:
    judged = [verdict for verdict in only_public(dossier.judged) if verdict.probe.naming]
    if not check.needs_value or any(verdict.band() is not Band.WRONG for verdict in judged):
        return None
    first = judged[0]
    if first.reply.ended in (Ended.LOST, Ended.MISSING):
        return end(check, end_call(first, dossier.scene))
    message = f"Judged once `{check.function}` gives a first right value."
    return result(check, Outcome.SKIPPED, message, location=dossier.scene.place)


def with_seconds(outcome: CheckResult, verdicts: Sequence[ProbeVerdict]) -> CheckResult:
    """Return the result with the time that its public calls took, as the child says, and the doubts about all ends."""
    seconds = round(sum(verdict.reply.seconds for verdict in only_public(verdicts)), 6)
    return outcome.model_copy(update={"seconds": seconds, "flags": (*outcome.flags, *flag_doubts(verdicts))})
