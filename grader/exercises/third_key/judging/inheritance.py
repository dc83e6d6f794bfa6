"""Judge `third_key()` on top of the student's own `attention`, so that a slip in `attention` costs its points once."""

from grader.exercises.exercise import Check
from grader.exercises.third_key.own_calls import OWN_ATTENTION, OWN_KEYS, OWN_QUERIES, OWN_SEVERAL
from grader.judging.arrays import distance
from grader.judging.dossier import Dossier
from grader.judging.hidden import only_public
from grader.judging.own_work import (
    OwnCalls,
    Verdicts,
    always_averages,
    averages,
    by_call,
    is_wrong_somewhere,
    own_array,
    weights_follow,
)
from grader.judging.results import result
from grader.judging.rules import judge_values
from grader.report import CheckResult, Outcome

_NEAR = 1e-9
_OWN = (OWN_ATTENTION, OWN_SEVERAL, OWN_QUERIES, OWN_KEYS)


def judge_third_key(check: Check, dossier: Dossier) -> CheckResult:
    """Judge the values; those that the student's own wrong `attention` gives on the same data are credited, too."""
    judged = judge_values(check, dossier)
    if judged.outcome is not Outcome.FAILED or not _inherits_third_key(dossier.others):
        return judged
    message = "What your own `attention` gives on the page's data: it inherits that, and loses nothing for it."
    return result(check, Outcome.PASSED, message, inherited=True, location=dossier.scene.place)


def _inherits_third_key(verdicts: Verdicts) -> bool:
    """Whether `third_key()` gives what the student's own `attention` gives on the same data.

    Only an attention that is itself judged wrong, and that averages values with weights that follow its input, can be
    inherited from: constants, returned inputs and random numbers earn nothing here.
    """
    # The page's data are public, so that what is right on further inputs makes no difference.
    attention = only_public(verdicts.get("attention", ()))
    calls = by_call(verdicts, ("attention", "third_key"))
    return (
        _gives_the_same(calls)
        and is_wrong_somewhere(attention)
        and always_averages(attention)
        and all(averages(calls.get(name)) for name in _OWN)
        and weights_follow(calls, OWN_SEVERAL, (OWN_QUERIES, OWN_KEYS))
    )


def _gives_the_same(calls: OwnCalls) -> bool:
    for k in (0, 1):
        mine, own = own_array(calls, "third_key/page", k), own_array(calls, OWN_ATTENTION, k)
        if mine is None or own is None or mine.shape != own.shape:
            return False
        if not distance(mine, own) <= _NEAR * max(1.0, float(abs(own).max())):
            return False
    return True
