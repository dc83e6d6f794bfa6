"""Numeric fingerprints, read where no known mistake fits: a temperature, a constant factor, digits of agreement."""

from collections.abc import Sequence

import numpy as np

from grader.calls import Ended
from grader.exercises.ladders.model import Array
from grader.judging.arrays import Band
from grader.judging.gradients import constant_ratio
from grader.judging.probes import ProbeVerdict
from grader.judging.rules import Bench
from grader.report import CheckResult

_EXACT = 1e-8
_ALIKE = 1e-6  # how alike numbers of different probes must be to count as one
_TINY_STEPS = tuple(10.0**-k for k in range(10, 16))
_GRAIN = 2.0**-58  # of doubles above 1/32
_COUNTABLE, _WHOLE = 2.0**32, 1e-4  # grains that a double tells apart, and how near to whole they must be
_MANY = 8  # numbers, of which each is near to whole by chance once in five thousand times
_HALF_PRECISION = (1e-4, 5e-3)  # relative error of results computed with eleven bits


def _divisors(n: int, m: int, d_k: int, d_v: int) -> dict[str, float]:
    """Return divisors of the raw scores that a slip can give, by how they are called; the right one is not there."""
    return {
        "1": 1.0,
        "d_k": float(d_k),
        "d_k squared": float(d_k**2),
        "the fourth root of d_k": d_k**0.25,
        "half of d_k": d_k / 2,
        "the root of 2 d_k": (2 * d_k) ** 0.5,
        "log d_k": float(np.log(d_k)),
        "the root of d_k + 1": (d_k + 1) ** 0.5,
        "the root of d_k - 1": (d_k - 1) ** 0.5,
        "n": float(n),
        "m": float(m),
        "the root of n": n**0.5,
        "the root of m": m**0.5,
        "d_v": float(d_v),
        "the root of d_v": d_v**0.5,
        "the root of d_k + d_v": (d_k + d_v) ** 0.5,
    }


def read_fingerprint(check: CheckResult, bench: Bench, check_items: tuple[int, ...] | None = None) -> CheckResult:
    """Return the result with a sentence about what the numbers have in common, where they have something.

    `check_items` are the returned things that the check compares (None: all).
    """
    if bench.function.secret or not check.counterexample:
        return check
    wrong = [v for v in bench.judged if not v.probe.hidden and v.returned and v.band() is Band.WRONG]
    # With a wrong softmax of their own the weights say nothing about the divisor.
    own_softmax = [v for v in bench.others.get("softmax", ()) if v.probe.judged and v.probe.raises is None]
    sound = all(v.band() is not Band.WRONG for v in own_softmax if v.returned and not v.probe.extreme)
    said = _temperature(wrong) if check.name == "attention.weights" and sound else ""
    place = (check_items or (0,))[0]
    said = said or _factor(wrong, place, bench) or _digits(wrong)
    if not said:
        return check
    message = f"{check.message} {said}"
    return check.model_copy(update={"message": message, "hints": (message, *check.hints[1:])})


def fit_temperature(Q: Array, K: Array, weights: Array) -> float | None:
    """Return t with weights = softmax(t Q K^T) by row, None where no t fits.

    Differences of log weights within a row are t times differences of raw scores.
    """
    if weights.shape != (Q.shape[0], K.shape[0]) or not np.all(np.isfinite(weights) & (weights > 0)):
        return None
    scores, logs = Q.astype(float) @ K.T.astype(float), np.log(weights)
    # A row with two different scores has one gap, and one gap fits some t whatever the weights are.
    gaps = sum(len(np.unique(np.round(row, 9))) - 1 for row in scores)
    if gaps <= 1 or np.max(np.abs(weights.sum(axis=1) - 1)) > _EXACT:
        return None
    x = (scores - scores.mean(axis=1, keepdims=True)).ravel()
    y = (logs - logs.mean(axis=1, keepdims=True)).ravel()
    size = float(x @ x)
    if size <= _EXACT:
        return None
    t = float(x @ y) / size
    fits = float(np.max(np.abs(y - t * x))) <= _EXACT * max(1.0, float(np.max(np.abs(y))))
    return t if fits and abs(t) > _EXACT else None


def has_grain_of_tiny_steps(gradients: Sequence[Array]) -> bool:
    """Whether all numbers are differences of neighbouring doubles, divided by the distance of a far too small step.

    Two doubles not far from 1 differ by a multiple of 2^-58, so such a gradient is a multiple of 2^-58 / (2 h), or of
    2^-58 / h. Which multiple is chance, and differs between processors; that all are multiples is none.
    """
    parts = [np.ravel(item).astype(np.float64) for item in gradients if item.dtype.kind == "f"]
    numbers = np.concatenate([np.empty(0), *parts])
    numbers = numbers[numbers != 0]
    if numbers.size < _MANY or not np.all(np.isfinite(numbers)):
        return False
    for step in _TINY_STEPS:
        for distance in (2 * step, step):
            grains = numbers * distance / _GRAIN
            if np.max(np.abs(grains)) < _COUNTABLE and np.max(np.abs(grains - np.round(grains))) < _WHOLE:
                return True
    return False


def _temperature(wrong: list[ProbeVerdict]) -> str:
    divisors, sizes = [], []
    for verdict in wrong:
        if verdict.probe.call.again is not None or len(verdict.items) != 2 or verdict.probe.call.args[1].shape[0] == 1:  # noqa: PLR2004
            continue
        Q, K, V = verdict.probe.call.args
        # Where the weights are right, their temperature is, too: the slip comes after them.
        weights = verdict.items[1].received if verdict.items[1].band is Band.WRONG else None
        t = None if weights is None else fit_temperature(Q, K, weights.astype(np.float64))
        if t is None:
            continue
        divisors.append(1 / t)
        sizes.append((Q.shape[0], K.shape[0], Q.shape[1], V.shape[1]))
    if len(divisors) < 2:  # noqa: PLR2004 (one argument set proves nothing)
        return ""
    said = "Your weights are a softmax of the raw scores divided by"
    tables = [_divisors(*size) for size in sizes]
    for name in tables[0]:
        if all(abs(d - table[name]) <= _ALIKE * abs(d) for d, table in zip(divisors, tables, strict=True)):
            return f"{said} {name}."
    if max(divisors) - min(divisors) <= _ALIKE * abs(divisors[0]):
        return f"{said} {divisors[0]:.4g}, whatever the sizes."
    return f"{said} {divisors[0]:.4g} for d_k = {sizes[0][2]}: another divisor than asked for."


def _factor(wrong: list[ProbeVerdict], place: int, bench: Bench) -> str:
    ratios = [ratio for verdict in wrong if (ratio := constant_ratio(verdict, place)) is not None]
    if len(wrong) < 2 or len(ratios) != len(wrong):  # noqa: PLR2004
        return ""
    of = f" of {bench.function.returns[place].name}" if len(bench.function.returns) > 1 else ""
    if max(ratios) - min(ratios) <= _ALIKE * abs(ratios[0]):
        return f"Every entry{of} is {ratios[0]:.4g} times the right one."
    return f"Every entry{of} is {ratios[0]:.4g} times the right one here, and another factor for other sizes."


def _digits(wrong: list[ProbeVerdict]) -> str:
    errors = [item.error for verdict in wrong for item in verdict.items if item.error is not None]
    low, high = _HALF_PRECISION
    if errors and all(verdict.reply.ended is Ended.RETURNED for verdict in wrong) and low < max(errors) < high:
        return f"It agrees to about {-np.log10(max(errors)):.0f} digits: which precision do you compute in?"
    return ""
