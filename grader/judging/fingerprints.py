"""Numeric fingerprints, read where no known mistake fits: what the exercise looks for, a constant factor, digits."""

from collections.abc import Sequence

import numpy as np

from grader.calls import Ended
from grader.judging.arrays import Band, constant_ratio
from grader.judging.dossier import Dossier
from grader.judging.hidden import only_public
from grader.judging.verdicts import ProbeVerdict
from grader.report import CheckResult

ALIKE = 1e-6  # how alike numbers of different probes must be to count as one
_HALF_PRECISION = (1e-4, 5e-3)  # relative error of results computed with eleven bits
_TWO = 2  # argument sets: one proves nothing


def read_fingerprint(check: CheckResult, dossier: Dossier, check_items: tuple[int, ...] | None = None) -> CheckResult:
    """Return the result with a sentence about what the numbers have in common, where they have something.

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
    errors = [item.error for verdict in wrong for item in verdict.items if item.error is not None]
    low, high = _HALF_PRECISION
    if errors and all(verdict.reply.ended is Ended.RETURNED for verdict in wrong) and low < max(errors) < high:
        return f"It agrees to about {-np.log10(max(errors)):.0f} digits: which precision do you compute in?"
    return ""
