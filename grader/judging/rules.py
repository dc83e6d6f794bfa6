"""One function a rule: from the verdicts on a function's probes to the result of one check.

What a student reads comes from the smallest failing public probe. A check that fails on hidden probes alone says
only that, and carries the hidden probe for the instructor.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from grader.calls import Ended
from grader.exercises.model import Check, Function
from grader.judging.arrays import Band
from grader.judging.counterexamples import make_counterexample, make_evidence, parameters
from grader.judging.endings import Scene, end_call, first_failing
from grader.judging.observations import observe, suggest
from grader.judging.probes import ProbeVerdict
from grader.judging.results import end, result
from grader.key.model import AnswerKey
from grader.report import CheckResult, Outcome

FAILED_HIDDEN_ONLY = "fails on hidden inputs only"
_HIDDEN_MESSAGE = "Right on the public inputs, not on further ones."
# A call that never took place has no result to show.
_NO_CALL = (Ended.SKIPPED, Ended.LOST, Ended.MISSING)


class Bench(NamedTuple):
    """What a rule may look at: one function, all verdicts on its probes, the key, and the other functions' verdicts."""

    function: Function
    verdicts: Sequence[ProbeVerdict]
    key: AnswerKey
    scene: Scene
    others: Mapping[str, Sequence[ProbeVerdict]]

    def feeding(self, check: Check) -> list[ProbeVerdict]:
        """Return the verdicts on the probes of a check."""
        return [verdict for verdict in self.verdicts if check.name in verdict.probe.checks]

    @property
    def judged(self) -> list[ProbeVerdict]:
        """Return the verdicts that have a right value to compare with."""
        return [v for v in self.verdicts if v.probe.judged and v.probe.raises is None and not v.probe.call.echo]


def judge_values(check: Check, bench: Bench) -> CheckResult:
    """All probes of the check are right, some perhaps with a note."""
    verdicts = bench.feeding(check)
    failing = [verdict for verdict in verdicts if verdict.band(check.items) is Band.WRONG]
    if not failing:
        return result(check, Outcome.PASSED, describe_note(verdicts, check), location=bench.scene.place)
    return fail(check, bench, failing)


def describe_note(verdicts: Sequence[ProbeVerdict], check: Check) -> str:
    """Say why right values are not right to the last digits; empty where they are."""
    noted = [verdict for verdict in verdicts if verdict.band(check.items) is Band.NOTE]
    if not noted:
        return ""
    item = max((item for item in noted[0].items if item.band is Band.NOTE), key=lambda item: item.error or 0.0)
    if item.single and item.received is not None:
        return f"Right to single precision: the result is {item.received.dtype}. Full marks."
    return f"Right to about {item.error or 0.0:.0e} of the scale, less than double precision gives. Full marks."


def fail(check: Check, bench: Bench, failing: Sequence[ProbeVerdict]) -> CheckResult:
    """Return the result of a check with failing probes, worded after the smallest public one."""
    worst = first_failing(failing)
    assert worst is not None  # noqa: S101 (callers pass at least one)
    if worst.returned:
        message = observe(worst, bench.function, bench.verdicts, check.items)
        return show(check, bench, worst, message, evidence=make_evidence(worst, check.items))
    if worst.probe.hidden:
        return show(check, bench, worst, _HIDDEN_MESSAGE)
    ending = end_call(worst, bench.scene)
    called = worst.reply.ended not in _NO_CALL and ending.outcome is not Outcome.SKIPPED
    shown = make_counterexample(worst, bench.function, bench.key.answers.get(worst.probe.id)) if called else None
    return end(check, ending, counterexample=shown)


def show(check: Check, bench: Bench, worst: ProbeVerdict, message: str, **more: Any) -> CheckResult:
    """Return the result of a check that this probe fails; of a hidden probe a student reads nothing but that."""
    place = bench.scene.place
    shown = make_counterexample(worst, bench.function, bench.key.answers.get(worst.probe.id))
    if worst.probe.hidden:
        flags = (FAILED_HIDDEN_ONLY,)
        return result(check, Outcome.FAILED, _HIDDEN_MESSAGE, location=place, hidden_counterexample=shown, flags=flags)
    failed = result(check, Outcome.FAILED, message, location=place, counterexample=shown, **more)
    experiment = suggest(worst)
    return failed.model_copy(update={"hints": (message, experiment)}) if experiment else failed


def judge_form(check: Check, bench: Bench) -> CheckResult:
    """Container, shape and kind of number, over all value probes; earned once something came back."""
    returned = [verdict for verdict in bench.judged if verdict.returned]
    odd = [verdict for verdict in returned if verdict.form]
    if odd:
        worst = first_failing(odd)
        assert worst is not None  # noqa: S101 (there is one)
        return show(check, bench, worst, f"{worst.form} ({worst.probe.rung}).")
    if returned:
        return result(check, Outcome.PASSED, location=bench.scene.place)
    return _end_first(check, bench, bench.judged)


def _end_first(check: Check, bench: Bench, verdicts: Sequence[ProbeVerdict]) -> CheckResult:
    worst = first_failing(verdicts)
    assert worst is not None  # noqa: S101 (every function has probes)
    return end(check, end_call(worst, bench.scene))


def judge_unmodified(check: Check, bench: Bench) -> CheckResult:
    """Judge that the arguments are the same after the call, and that read-only ones are accepted."""
    waiting = _wait(check, bench)
    if waiting is not None:
        return waiting
    for verdict in bench.feeding(check):
        error = verdict.reply.error
        refused = error is not None and error.type == "ValueError" and "read-only" in error.message
        if refused:
            message = f"`{check.function}` writes into an argument: a read-only array was refused."
            return show(check, bench, verdict, message)
        if verdict.modified:
            names = parameters(bench.function.signature)
            changed = " and ".join(names[k] for k in verdict.modified)
            holds = "arrays hold" if len(verdict.modified) > 1 else "array holds"
            message = f"`{check.function}` changes {changed} in place: the caller's {holds} other numbers afterwards."
            return show(check, bench, verdict, message)
        if not verdict.returned:
            return _stop(check, bench, verdict)
    return result(check, Outcome.PASSED, location=bench.scene.place)


def judge_raises(check: Check, bench: Bench) -> CheckResult:
    """Judge that the promised exception came, or one of its subclasses."""
    waiting = _wait(check, bench)
    if waiting is not None:
        return waiting
    for verdict in bench.feeding(check):
        error, promised = verdict.reply.error, verdict.probe.raises
        if error is not None and promised in (error.type, *error.bases):
            continue
        if verdict.returned:
            message = f"`{check.function}` returns a value for {verdict.probe.rung}, where {promised} is promised."
        elif verdict.reply.ended is Ended.RAISED and error is not None and error.type != "NotImplementedError":
            message = f"`{check.function}` raises {error.type} for {verdict.probe.rung}, where {promised} is promised."
        else:
            return _stop(check, bench, verdict)
        return show(check, bench, verdict, message)
    return result(check, Outcome.PASSED, location=bench.scene.place)


def _stop(check: Check, bench: Bench, verdict: ProbeVerdict) -> CheckResult:
    """Return the result of a check whose call gave nothing; what a hidden call said stays hidden."""
    if verdict.probe.hidden:
        return show(check, bench, verdict, _HIDDEN_MESSAGE)
    return end(check, end_call(verdict, bench.scene))


def _wait(check: Check, bench: Bench) -> CheckResult | None:
    if not check.needs_value or any(verdict.band() is not Band.WRONG for verdict in bench.judged):
        return None
    first = bench.judged[0]
    if first.reply.ended in (Ended.LOST, Ended.MISSING):
        return end(check, end_call(first, bench.scene))
    message = f"Judged once `{check.function}` gives a first right value."
    return result(check, Outcome.SKIPPED, message, location=bench.scene.place)


def with_seconds(outcome: CheckResult, verdicts: Sequence[ProbeVerdict]) -> CheckResult:
    """Return the result with the time that its calls took in the child."""
    return outcome.model_copy(update={"seconds": round(sum(verdict.reply.seconds for verdict in verdicts), 6)})
