"""Read the divisor of the raw scores off weights that are a softmax of them at a wrong temperature."""

from collections.abc import Sequence

import numpy as np

from grader.exercises.probe import Array
from grader.judging.arrays import Band
from grader.judging.dossier import Dossier
from grader.judging.fingerprints import ALIKE
from grader.judging.hidden import only_public
from grader.judging.verdicts import ProbeVerdict

_EXACT = 1e-8
_TWO = 2


def remark_on_temperature(wrong: Sequence[ProbeVerdict], dossier: Dossier) -> str:
    """Say what the student's weights divide the raw scores by; empty where they are no softmax of them."""
    # Where the student's own softmax is wrong, the weights say nothing about the divisor.
    own_softmax = [v for v in only_public(dossier.others.get("softmax", ())) if v.probe.judged and v.returned]
    if any(v.band() is Band.WRONG for v in own_softmax if not v.probe.extreme):
        return ""
    divisors, sizes = _fit_all(wrong)
    if len(divisors) < _TWO:  # one argument set proves nothing
        return ""
    said = "Your weights are a softmax of the raw scores divided by"
    tables = [_divisors(*size) for size in sizes]
    for name in tables[0]:
        if all(abs(d - table[name]) <= ALIKE * abs(d) for d, table in zip(divisors, tables, strict=True)):
            return f"{said} {name}."
    if max(divisors) - min(divisors) <= ALIKE * abs(divisors[0]):
        return f"{said} {divisors[0]:.4g}, whatever the sizes."
    return f"{said} {divisors[0]:.4g} for d_k = {sizes[0][2]}: another divisor than asked for."


def _fit_all(wrong: Sequence[ProbeVerdict]) -> tuple[list[float], list[tuple[int, int, int, int]]]:
    """Return the divisor of each probe on which one fits, and the sizes n, m, d_k, d_v there."""
    divisors, sizes = [], []
    for verdict in wrong:
        if (
            verdict.probe.call.again is not None
            or len(verdict.items) != _TWO
            or verdict.probe.call.args[1].shape[0] == 1
        ):
            continue
        Q, K, V = verdict.probe.call.args
        # Where the weights are right, their temperature is, too: the slip comes after them.
        weights = verdict.items[1].received if verdict.items[1].band is Band.WRONG else None
        t = None if weights is None else _fit_temperature(Q, K, weights.astype(np.float64))
        if t is None:
            continue
        divisors.append(1 / t)
        sizes.append((Q.shape[0], K.shape[0], Q.shape[1], V.shape[1]))
    return divisors, sizes


def _fit_temperature(Q: Array, K: Array, weights: Array) -> float | None:
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


def _divisors(n: int, m: int, d_k: int, d_v: int) -> dict[str, float]:
    """Return the wrong divisors of the raw scores that a slip can give, by the words that name them."""
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
