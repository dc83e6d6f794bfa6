"""Measure how far the known mistakes lie from the right answer, and from one another, in the key alone."""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from grader.exercises.catalogue import CATALOGUE
from grader.exercises.exercise import Severity
from grader.exercises.probe import Tolerance
from grader.judging.diagnosis import same_answer
from grader.key.answer_key import Answer, AnswerKey
from grader.selfcheck.tally import Premises, Tally

MARGIN = 1000.0  # a wrong answer has to miss by this many tolerances on the probe where it misses most
DIFFERENCE_MARGIN = 10.0  # for finite differences, whose own error is never far below the tolerance
# Rounding a probability to two decimals moves it by 0.005 at most, which is 500 times the tolerance of 1e-5; rounding
# to three, by a tenth of that.
ROUNDING_MARGINS = {
    ("E1-23", "softmax"): 100.0,
    ("E1-72", "softmax"): 10.0,
    ("E1-72", "attention"): 10.0,
    ("E2-53", "multi_head_attention"): 10.0,
}


def measure_margins(premises: Premises, key: AnswerKey, tally: Tally) -> None:
    """See that each wrong mistake lies far beyond the tolerance on its best probe, and apart from the others."""
    tolerances = {probe.id: probe.tolerances for probe in key.probes}
    for name in sorted(premises.functions):
        singles = {code: answers for code, answers in key.mistakes.get(name, {}).items() if "+" not in code}
        for code, answers in singles.items():
            _hold_to_margin(code, name, _best_margin(answers, key, tolerances), tally, key.seed)
        for one, other in combinations(sorted(singles), 2):
            if other not in CATALOGUE[one].aliases and not _apart(singles[one], singles[other], tolerances):
                tally.fail(f"{one} and {other} in {name}", f"give the same on every probe (seed {key.seed})")


def _hold_to_margin(code: str, name: str, margin: float, tally: Tally, seed: int) -> None:
    if CATALOGUE[code].severity is Severity.NOTE:
        return
    if margin < tally.smallest_margin:
        tally.smallest_margin, tally.smallest_at = margin, f"{code} in {name}"
    if margin < _required(code, name):
        tally.fail(f"{code} in {name}", f"lies only {margin:.3g} times beyond the limit (seed {seed})")


def _best_margin(
    answers: Mapping[str, Answer], key: AnswerKey, tolerances: Mapping[str, tuple[Tolerance, ...]]
) -> float:
    return max((_margin(answers[probe], key.answers[probe], tolerances[probe]) for probe in answers), default=0.0)


def _required(code: str, name: str) -> float:
    if code.startswith("FD"):
        return DIFFERENCE_MARGIN
    return ROUNDING_MARGINS.get((code, name), MARGIN)


def _apart(
    one: Mapping[str, Answer], other: Mapping[str, Answer], tolerances: Mapping[str, tuple[Tolerance, ...]]
) -> bool:
    return any(not same_answer(one[probe], other[probe], tolerances[probe]) for probe in one)


def _margin(given: Answer, right: Answer, tolerances: Sequence[Tolerance]) -> float:
    """Return the distance in units of the tolerance; infinite for another kind of answer."""
    if (given.raises, given.changed, len(given.items)) != (right.raises, right.changed, len(right.items)):
        return float("inf")
    margins = [0.0]
    for mine, theirs, tolerance in zip(given.items, right.items, tolerances, strict=False):
        if mine.shape != theirs.shape or not np.all(np.isfinite(mine)):
            return float("inf")
        largest = float(np.max(np.abs(mine.astype(float) - theirs), initial=0.0))
        allowed = (tolerance.right if tolerance.note is None else tolerance.note) * tolerance.scaled_by(theirs)
        margins.append(largest / allowed if allowed else float("inf") if largest else 0.0)
    return max(margins)
