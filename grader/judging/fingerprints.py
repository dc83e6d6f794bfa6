"""Numeric fingerprints, read where no known mistake fits: a temperature, a constant factor, digits of agreement."""

from collections.abc import Callable

import numpy as np

from grader.exercises.model import Array
from grader.judging.arrays import Band
from grader.judging.gradients import constant_ratio
from grader.judging.probes import ProbeVerdict
from grader.judging.rules import Bench
from grader.report import CheckResult
from grader.sandbox.calls import Ended

_EXACT = 1e-8
_HALF_PRECISION = (1e-4, 5e-3)  # relative error of results computed with eleven bits

# Divisors of the raw scores that a slip can give, by how they are called. The right one is not among them.
_DIVISORS: dict[str, Callable[[int, int, int, int], float]] = {
    "1": lambda n, m, d_k, d_v: 1.0,  # noqa: ARG005
    "d_k": lambda n, m, d_k, d_v: float(d_k),  # noqa: ARG005
    "d_k squared": lambda n, m, d_k, d_v: float(d_k**2),  # noqa: ARG005
    "the fourth root of d_k": lambda n, m, d_k, d_v: d_k**0.25,  # noqa: ARG005
    "half of d_k": lambda n, m, d_k, d_v: d_k / 2,  # noqa: ARG005
    "the root of 2 d_k": lambda n, m, d_k, d_v: (2 * d_k) ** 0.5,  # noqa: ARG005
    "log d_k": lambda n, m, d_k, d_v: float(np.log(d_k)),  # noqa: ARG005
    "the root of d_k + 1": lambda n, m, d_k, d_v: (d_k + 1) ** 0.5,  # noqa: ARG005
    "the root of d_k - 1": lambda n, m, d_k, d_v: (d_k - 1) ** 0.5,  # noqa: ARG005
    "n": lambda n, m, d_k, d_v: float(n),  # noqa: ARG005
    "m": lambda n, m, d_k, d_v: float(m),  # noqa: ARG005
    "the root of n": lambda n, m, d_k, d_v: n**0.5,  # noqa: ARG005
    "the root of m": lambda n, m, d_k, d_v: m**0.5,  # noqa: ARG005
    "d_v": lambda n, m, d_k, d_v: float(d_v),
    "the root of d_v": lambda n, m, d_k, d_v: d_v**0.5,
    "the root of d_k + d_v": lambda n, m, d_k, d_v: (d_k + d_v) ** 0.5,  # noqa: ARG005
}


def read_fingerprint(check: CheckResult, bench: Bench) -> CheckResult:
    """Return the result with a sentence about what the numbers have in common, where they have something."""
    if bench.function.secret or not check.counterexample:
        return check
    wrong = [v for v in bench.judged if not v.probe.hidden and v.returned and v.band() is Band.WRONG]
    said = _temperature(wrong) if check.function == "attention" else ""
    said = said or _factor(wrong) or _digits(wrong)
    if not said:
        return check
    message = f"{check.message} {said}"
    return check.model_copy(update={"message": message, "hints": (message, *check.hints[1:])})


def fit_temperature(Q: Array, K: Array, weights: Array) -> float | None:
    """Return t with weights = softmax(t Q K^T) by row, None where no t fits.

    Differences of log weights within a row are t times differences of raw scores.
    """
    if weights.shape != (Q.shape[0], K.shape[0]) or not np.all(weights > 0):
        return None
    scores, logs = Q.astype(float) @ K.T.astype(float), np.log(weights)
    x = (scores - scores.mean(axis=1, keepdims=True)).ravel()
    y = (logs - logs.mean(axis=1, keepdims=True)).ravel()
    size = float(x @ x)
    if size <= _EXACT:
        return None
    t = float(x @ y) / size
    fits = float(np.max(np.abs(y - t * x))) <= _EXACT * max(1.0, float(np.max(np.abs(y))))
    return t if fits and abs(t) > _EXACT else None


def _temperature(wrong: list[ProbeVerdict]) -> str:
    divisors, sizes = [], []
    for verdict in wrong:
        if verdict.probe.call.again is not None or len(verdict.items) != 2 or verdict.probe.call.args[1].shape[0] == 1:  # noqa: PLR2004
            continue
        Q, K, V = verdict.probe.call.args
        weights = verdict.items[1].received
        t = None if weights is None else fit_temperature(Q, K, weights.astype(np.float64))
        if t is None:
            continue
        divisors.append(1 / t)
        sizes.append((Q.shape[0], K.shape[0], Q.shape[1], V.shape[1]))
    if len(divisors) < 2:  # noqa: PLR2004 (one argument set proves nothing)
        return ""
    for name, divisor in _DIVISORS.items():
        if all(abs(d - divisor(*size)) <= 1e-6 * abs(d) for d, size in zip(divisors, sizes, strict=True)):  # noqa: PLR2004
            return f"Your weights are a softmax of the raw scores divided by {name}."
    if max(divisors) - min(divisors) <= 1e-6 * abs(divisors[0]):  # noqa: PLR2004
        return f"Your weights are a softmax of the raw scores divided by {divisors[0]:.4g}, whatever the sizes."
    return f"Your weights are a softmax of the raw scores divided by {divisors[0]:.4g} for d_k = {sizes[0][2]}: another divisor than asked for."


def _factor(wrong: list[ProbeVerdict]) -> str:
    ratios = [ratio for verdict in wrong if (ratio := constant_ratio(verdict)) is not None]
    if len(wrong) < 2 or len(ratios) != len(wrong):  # noqa: PLR2004
        return ""
    if max(ratios) - min(ratios) <= 1e-6 * abs(ratios[0]):  # noqa: PLR2004
        return f"Every entry is {ratios[0]:.4g} times the right one."
    return f"Every entry is {ratios[0]:.4g} times the right one here, and another factor for other sizes."


def _digits(wrong: list[ProbeVerdict]) -> str:
    errors = [item.error for verdict in wrong for item in verdict.items if item.error is not None]
    low, high = _HALF_PRECISION
    if errors and all(verdict.reply.ended is Ended.RETURNED for verdict in wrong) and low < max(errors) < high:
        return f"It agrees to about {-np.log10(max(errors)):.0f} digits: which precision do you compute in?"
    return ""
