"""Numeric fingerprints of answers that no known mistake explains: the exercise's own, a constant factor, float16."""

from collections.abc import Sequence

import numpy as np

from grader.calls import Ended
from grader.judging.arrays import Band, constant_ratio
from grader.judging.dossier import Dossier
from grader.judging.hidden import only_public
from grader.judging.verdicts import ProbeVerdict
from grader.report import CheckResult

ALIKE = 1e-6  # numbers of different probes count as one where they differ by no more than this share
_HALF_PRECISION = (1e-4, 5e-3)  # relative error of results computed with eleven bits
_MANY = 8  # numbers that float16 holds exactly: by chance it holds one double in 2^13
_TWO = 2  # argument sets: one proves nothing


def read_fingerprint(check: CheckResult, dossier: Dossier, check_items: tuple[int, ...] | None = None) -> CheckResult:
    """Return the result, with a sentence about what its wrong numbers have in common if anything.

    `check_items` are the returned things that the check compares (None: all).
    """
    if dossier.function.secret or not check.counterexample:
        return check
    small = [verdict for verdict in only_public(dossier.judged) if verdict.probe.naming]
    wrong = [verdict for verdict in small if verdict.returned and verdict.band() is Band.WRONG]
    remark = dossier.own.remarks.get(check.name)
    said = remark(wrong, dossier) if remark is not None else ""
    said = said or _factor(wrong, (check_items or (0,))[0], dossier) or _digits(wrong)
    if not said:
        return check
    message = f"{check.message} {said}"
    return check.model_copy(update={"message": message, "hints": (message, *check.hints[1:])})


def _factor(wrong: Sequence[ProbeVerdict], place: int, dossier: Dossier) -> str:
    items = [verdict.items[place] for verdict in wrong if verdict.items]
    ratios = [ratio for item in items if (ratio := constant_ratio(item)) is not None]
    if len(wrong) < _TWO or len(ratios) != len(wrong):
        return ""
    returns = dossier.function.returns
    of = f" of {returns[place].name}" if len(returns) > 1 else ""
    if max(ratios) - min(ratios) <= ALIKE * abs(ratios[0]):
        return f"Every entry{of} is {ratios[0]:.4g} times the right one."
    return f"Every entry{of} is {ratios[0]:.4g} times the right one here, and another factor for other sizes."


def _digits(wrong: Sequence[ProbeVerdict]) -> str:
    """Ask about precision where the errors have the size of float16 rounding and float16 holds the numbers."""
    items = [item for verdict in wrong for item in verdict.items if item.error is not None]
    low, high = _HALF_PRECISION
    errors = [item.error for item in items if item.error is not None]
    if (
        not errors
        or not low < max(errors) < high
        or any(verdict.reply.ended is not Ended.RETURNED for verdict in wrong)
    ):
        return ""
    numbers = [item.received.ravel().astype(np.float64) for item in items if item.received is not None]
    # One result of a pair may have been computed in float16 and the other one not.
    halves = [part for part in numbers if np.array_equal(part, part.astype(np.float16).astype(np.float64))]
    fractions = np.concatenate([np.empty(0), *halves])
    if np.count_nonzero(fractions != np.round(fractions, 2)) < _MANY:
        return ""
    return f"It agrees to about {-np.log10(max(errors)):.0f} digits: which precision do you compute in?"
