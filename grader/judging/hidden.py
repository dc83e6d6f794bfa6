"""The results of checks that only hidden probes fail. A student reads the bare fact; the instructor sees the probe.

A child that knows a hidden input can write it into whatever it says: a value, an exception, the status with which it
ends, the time that it takes. So nothing that a student reads is made of what came back from a hidden call.
"""

from collections.abc import Sequence

from grader.calls import Ended
from grader.exercises.exercise import Check
from grader.judging.counterexamples import make_counterexample
from grader.judging.dossier import Dossier
from grader.judging.endings import end_call, first_failing
from grader.judging.results import end, result
from grader.judging.verdicts import ProbeVerdict
from grader.report import CheckResult, Outcome

FAILED_HIDDEN_ONLY = "fails on hidden inputs only"
HIDDEN_MESSAGE = "Right on the public inputs, not on further ones."
_ANSWERED = (Ended.RETURNED, Ended.RAISED)


def only_public(verdicts: Sequence[ProbeVerdict]) -> list[ProbeVerdict]:
    """Return the verdicts on public probes: the only ones that a student may read about."""
    return [verdict for verdict in verdicts if not verdict.probe.hidden]


def fail_hidden(check: Check, dossier: Dossier, failing: Sequence[ProbeVerdict]) -> CheckResult:
    """Return the result of a check that fails on these hidden probes and on no public one.

    A call that was cut off is no wrong answer: such a check timed out or crashed, and nobody is suspected for it.
    """
    answered = [verdict for verdict in failing if verdict.reply.ended in _ANSWERED]
    worst = first_failing(answered or failing)
    assert worst is not None  # noqa: S101 (callers pass at least one)
    shown = make_counterexample(worst, dossier.function, dossier.key.answers.get(worst.probe.id))
    if answered:
        place, flags = dossier.scene.place, (FAILED_HIDDEN_ONLY,)
        return result(check, Outcome.FAILED, HIDDEN_MESSAGE, location=place, hidden_counterexample=shown, flags=flags)
    ending = end_call(worst, dossier.scene)._replace(message=_word(worst), location=dossier.scene.place)
    return end(check, ending, hidden_counterexample=shown)


def _word(verdict: ProbeVerdict) -> str:
    """Say why a hidden call gave nothing, in the grader's own words rather than in any that the child sent."""
    name = verdict.probe.call.function
    match verdict.reply.ended:
        case Ended.TIMEOUT:  # the detail is the limit
            return f"`{name}` did not answer on a further input: {verdict.reply.detail or 'the time limit'}."
        case Ended.CRASHED:
            return f"`{name}` ended the whole process on a further input."
        case Ended.MEMORY:
            return f"`{name}` needed more memory than the limit on a further input."
        case Ended.LOST | Ended.MISSING:
            return f"`{name}` was not there any more when further inputs were asked."
        case _:
            return f"`{name}` was not called on a further input: an earlier call failed."
