"""How far the known mistakes lie from the right answer, and from one another. Read from the key alone."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from grader.exercises.catalogue import CATALOGUE
from grader.exercises.exercise import Severity
from grader.exercises.probe import Tolerance
from grader.judging.diagnosis import same_answer
from grader.key.answer_key import Answer, AnswerKey
from grader.selfcheck.tally import Bench, Tally

MARGIN = 1000.0  # a wrong answer lies this many times beyond the tolerance on its best probe
DIFFERENCE_MARGIN = 10.0  # of finite differences, whose own error is never far below the tolerance
# Rounding a probability to two decimals moves it by 0.005 at most, which is 500 times the tolerance of 1e-5; rounding
# to three, by a tenth of that.
ROUNDING_MARGINS = {
    ("E1-23", "softmax"): 100.0,
    ("E1-72", "softmax"): 10.0,
    ("E1-72", "attention"): 10.0,
    ("E2-53", "multi_head_attention"): 10.0,
}


def check_margins(bench: Bench, key: AnswerKey, tally: Tally) -> None:
    """See that each wrong mistake lies far beyond the tolerance on its best probe, and apart from the others."""
    tolerances = {probe.id: probe.tolerances for probe in key.probes}
    for name in sorted(bench.functions):
        singles = {code: answers for code, answers in key.mistakes.get(name, {}).items() if "+" not in code}
        for code, answers in singles.items():
            if CATALOGUE[code].severity is Severity.NOTE:
                continue
            margin = max(
                (_margin(answers[probe], key.answers[probe], tolerances[probe]) for probe in answers), default=0.0
            )
            if margin < tally.smallest_margin:
                tally.smallest_margin, tally.smallest_at = margin, f"{code} in {name}"
            if margin < _required(code, name):
                tally.fault(f"{code} in {name}", f"lies only {margin:.3g} times beyond the limit (seed {key.seed})")
        for one, other in _pairs(sorted(singles)):
            if other not in CATALOGUE[one].aliases and not _apart(singles[one], singles[other], tolerances):
                tally.fault(f"{one} and {other} in {name}", f"give the same on every probe (seed {key.seed})")


def _required(code: str, name: str) -> float:
    if code.startswith("FD"):
        return DIFFERENCE_MARGIN
    return ROUNDING_MARGINS.get((code, name), MARGIN)


def _pairs(codes: Sequence[str]) -> Iterator[tuple[str, str]]:
    return ((one, other) for k, one in enumerate(codes) for other in codes[k + 1 :])


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
