"""`third_key()` on top of the student's own `attention`: a slip there costs its points once."""

import numpy as np

from grader.exercises.exercise import Check
from grader.exercises.probe import Array
from grader.exercises.third_key.own_calls import OWN_ATTENTION
from grader.judging.arrays import distance
from grader.judging.dossier import Dossier
from grader.judging.own_work import Verdicts, find_verdict, own_array
from grader.judging.results import result
from grader.judging.rules import judge_values
from grader.report import CheckResult, Outcome

_NEAR = 1e-9
_PAIR = ("attention/rectangle", "attention/kept")  # two probes of one shape


def judge_third_key(check: Check, dossier: Dossier) -> CheckResult:
    """Judge the values; those that the student's own `attention` gives on the same data are credited, too."""
    judged = judge_values(check, dossier)
    if judged.outcome is not Outcome.FAILED or not inherits_third_key(dossier.others):
        return judged
    message = "What your own `attention` gives on the page's data: it inherits that, and loses nothing for it."
    return result(check, Outcome.PASSED, message, inherited=True, location=dossier.scene.place)


def inherits_third_key(verdicts: Verdicts) -> bool:
    """Whether `third_key()` gives what the student's own `attention` gives on the same data.

    Only an attention that averages values with weights that follow its input can be inherited from: constants,
    returned inputs and random numbers earn nothing here.
    """
    mine = [own_array(verdicts, "third_key", "third_key/page", k) for k in (0, 1)]
    own = [own_array(verdicts, "attention", OWN_ATTENTION, k) for k in (0, 1)]
    for a, b in zip(mine, own, strict=True):
        if a is None or b is None or a.shape != b.shape:
            return False
        if not distance(a, b) <= _NEAR * max(1.0, float(np.abs(b).max())):
            return False
    page = find_verdict(verdicts, "attention", OWN_ATTENTION)
    return page is not None and averages_values(verdicts) and _averages(own[0], own[1], page.probe.call.args[2])


def averages_values(verdicts: Verdicts) -> bool:
    """Whether the student's attention returns (weights @ V, weights), with weights that depend on Q and K."""
    pairs = []
    for name in _PAIR:
        verdict = find_verdict(verdicts, "attention", name)
        output, weights = (own_array(verdicts, "attention", name, k) for k in (0, 1))
        if verdict is None or not _averages(output, weights, verdict.probe.call.args[2]):
            return False
        pairs.append(weights)
    first, second = pairs
    return first is not None and second is not None and first.shape == second.shape and not np.allclose(first, second)


def _averages(output: Array | None, weights: Array | None, V: Array) -> bool:
    if output is None or weights is None or weights.ndim != 2 or weights.shape[1] != V.shape[0]:  # noqa: PLR2004 (n, m)
        return False
    mean = weights @ V
    return output.shape == mean.shape and distance(output, mean) <= 1e-5 * max(1.0, float(np.abs(V).max()))
