"""What is observed in a wrong answer, in numbers, for a person to check. No formula and no expected constant.

An observation is the first step of the hint ladder. The most telling one wins; the last resort is the largest
difference and where it stands.
"""

from collections.abc import Sequence

import numpy as np

from grader.calls import Opaque
from grader.judging.arrays import Band, ItemVerdict, distance
from grader.judging.dossier import Dossier
from grader.judging.verdicts import ProbeVerdict

_NEAR = 1e-9


def observe(verdict: ProbeVerdict, dossier: Dossier, wanted: Sequence[int] | None = None) -> str:
    """Return one sentence about the first failing probe; `wanted` are the returned things that the check is about."""
    function = dossier.function
    if verdict.fault:
        return f"{verdict.fault}."
    if function.secret:
        return f"`{_write_call(verdict)}` does not give the right answer{_nonfinite(verdict)}."
    if verdict.probe.secret:
        return f"`{function.name}` does not give the right answer for {verdict.probe.rung}{_nonfinite(verdict)}."
    return _tell_swapped(verdict, dossier) or _observe_item(verdict, dossier, wanted)


def _observe_item(verdict: ProbeVerdict, dossier: Dossier, wanted: Sequence[int] | None) -> str:
    """Observe the first wrong thing among the wanted ones."""
    k = verdict.worst_item(wanted)
    assert k is not None  # noqa: S101 (the probe fails the check)
    function = dossier.function
    item, record = verdict.items[k], function.returns[k % len(function.returns)]
    if item.received is None:
        return f"{item.form}."
    if item.error is None:
        return f"{item.form} ({verdict.probe.rung})."
    rung = f"{verdict.probe.rung}, in the second call" if k >= len(function.returns) else verdict.probe.rung
    if not np.all(np.isfinite(item.received.astype(np.float64))):
        return _observe_nonfinite(verdict, dossier, item, rung)
    for look in dossier.own.looks.get((function.name, record.name), ()):
        said = look(item.received.reshape(item.right.shape).astype(np.float64))
        if said:
            return f"{rung}: {said}."
    return _observe_difference(rung, record.name, item)


def suggest(verdict: ProbeVerdict) -> str:
    """Return an experiment for an answer of a kind that no known mistake explains; empty where there is none."""
    value = verdict.reply.value
    if not verdict.fault:
        return ""
    if value is None:
        return "Does the last line print the result or return it?"
    if isinstance(value, Opaque) and value.type_name == "generator":
        return "Is there a `yield` where a `return` is meant?"
    if isinstance(value, Opaque) and value.type_name in ("function", "method", "builtin_function_or_method"):
        return "Are the brackets of a call missing on the last line?"
    return "Print type(result) and np.shape(result) just before the last line."


def _write_call(verdict: ProbeVerdict) -> str:
    """Return the call in short, of two the one that is wrong: `head_scale(64, 8)`; an array stands as dots."""
    call, place = verdict.probe.call, verdict.worst_item()
    second = call.again is not None and place is not None and place >= len(verdict.items) // 2
    shown = ", ".join(
        str(arg) if isinstance(arg, int | float) else "..." for arg in ((call.again or ()) if second else call.args)
    )
    return f"{call.function}({shown})"


def _nonfinite(verdict: ProbeVerdict) -> str:
    bad = any(item.received is not None and not np.all(np.isfinite(item.received)) for item in verdict.items)
    return " (it is not finite)" if bad else ""


def _tell_swapped(verdict: ProbeVerdict, dossier: Dossier) -> str:
    """Say so where both arrays are right, in the other order, wherever that can be told: one probe proves little."""
    if len(dossier.function.returns) != 2:  # noqa: PLR2004 (a pair)
        return ""
    small = [v for v in dossier.judged if v.probe.naming and v.probe.call.again is None and not v.probe.extreme]
    if not all(map(_is_swapped, [verdict, *(v for v in small if not v.probe.hidden)])):
        return ""
    first = verdict.items[0]
    assert first.received is not None  # noqa: S101 (both are right in the other order)
    if first.right.shape == first.received.shape:
        return "Both arrays are right, in the other order."
    return (
        f"Both arrays are right, in the other order: the first should have shape {first.right.shape}, "
        f"yours is {first.received.shape}."
    )


def _is_swapped(verdict: ProbeVerdict) -> bool:
    """Whether the two returned things are the right ones, in the other order."""
    if len(verdict.items) != 2:  # noqa: PLR2004 (a pair)
        return False
    first, second = verdict.items
    if first.received is None or second.received is None:
        return False
    crossed = ((first.received, second.right), (second.received, first.right))
    return all(y.shape == r.shape and distance(y, r) <= _NEAR * max(1.0, float(np.max(np.abs(r)))) for y, r in crossed)


def _observe_nonfinite(verdict: ProbeVerdict, dossier: Dossier, item: ItemVerdict, rung: str) -> str:
    assert item.received is not None  # noqa: S101 (the caller has looked)
    values = item.received.astype(np.float64)
    word = "nan" if np.any(np.isnan(values)) else "infinity"
    public = (v for v in dossier.verdicts if v.probe.judged and not v.probe.hidden)
    ordinary = [v for v in public if v.probe.raises is None and not v.probe.extreme]
    if verdict.probe.extreme and ordinary and all(other.band() is not Band.WRONG for other in ordinary):
        return f"Right for ordinary scores; for {rung}, `{dossier.function.name}` returns {word}."
    return f"{rung}: `{dossier.function.name}` returns {word}."


def _observe_difference(rung: str, name: str, item: ItemVerdict) -> str:
    assert item.received is not None  # noqa: S101 (the caller has looked)
    y = item.received.reshape(item.right.shape).astype(np.float64)
    k = int(np.argmax(np.abs(y - item.right)))
    where = ", ".join(str(int(i)) for i in np.unravel_index(k, y.shape)) if y.ndim else ""
    mine, right = _tell_apart(float(y.flat[k]), float(item.right.flat[k]))
    return f"{rung}: {name}{f'[{where}]' if where else ''} is {mine} where {right} is right."


def _tell_apart(one: float, other: float) -> tuple[str, str]:
    """Return both numbers with as many digits as it takes to see a difference, six at least."""
    for digits in (6, 9, 12):
        if f"{one:.{digits}g}" != f"{other:.{digits}g}":
            return f"{one:.{digits}g}", f"{other:.{digits}g}"
    return repr(one), repr(other)
