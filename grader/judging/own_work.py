"""What a student's own functions gave, for rules that hold one piece of a submission against another.

A slip in one function may carry on into the next, and costs its points once. Something is inherited only from a
function that is itself judged wrong, and that still does what it is there for: it weighs the values.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from grader.calls import Ended
from grader.exercises.probe import Array
from grader.judging.arrays import Band, distance
from grader.judging.verdicts import ProbeVerdict

Verdicts = Mapping[str, Sequence[ProbeVerdict]]
"""The verdicts on a submission's probes, by asked-for name, in the order of the ladder."""

OwnCalls = Mapping[str, ProbeVerdict]
"""The same, by the call's id."""

_LARGEST = 10_000  # numbers: what is compared is small, and an array of 48 MiB is no answer to it
_ROUNDING = 1e-5  # a mean in single precision differs from ours by less
_STEPS = 8  # roundings of a narrower type in one mean
_TURNED = 1e-6  # weights that follow their input change by more when it is turned round


def by_call(verdicts: Verdicts, functions: Iterable[str]) -> dict[str, ProbeVerdict]:
    """Return the verdicts on the calls of these functions by the calls' ids."""
    return {verdict.probe.id: verdict for name in functions for verdict in verdicts.get(name, ())}


def own_array(calls: OwnCalls, call_id: str, item: int = 0) -> Array | None:
    """Return one result of the student's function on a call as a float array; None where it is not numeric."""
    verdict = calls.get(call_id)
    if verdict is None or len(verdict.reading.items) <= item:
        return None
    array = verdict.reading.items[item].array
    if array is None or not 0 < array.size <= _LARGEST or not np.all(np.isfinite(array)):
        return None
    return array.astype(np.float64)


def in_note_band(verdicts: Sequence[ProbeVerdict]) -> bool:
    """Whether a function's results are right to single precision only: so returned, or never further off."""
    # Where the inputs came in single precision, a result in single precision is right, and says nothing.
    told = [verdict for verdict in verdicts if not (verdict.probe.extreme or verdict.probe.call.single)]
    items = [item for verdict in told for item in verdict.items]
    bands = {item.band for item in items}
    return any(item.single for item in items) or (Band.NOTE in bands and Band.WRONG not in bands)


def is_wrong_somewhere(verdicts: Sequence[ProbeVerdict]) -> bool:
    """Whether a function is judged wrong on a probe with ordinary scores.

    A call that was cut off says nothing about the function. Nor do very large scores: no derivative is judged there.
    """
    told = (Ended.RETURNED, Ended.RAISED)
    return any(v.band() is Band.WRONG and v.reply.ended in told for v in verdicts if _is_ordinary(v))


def _is_ordinary(verdict: ProbeVerdict) -> bool:
    probe = verdict.probe
    if not probe.judged or probe.raises is not None or probe.extreme:
        return False
    return not (probe.call.echo or probe.call.readonly)


def always_averages(verdicts: Sequence[ProbeVerdict]) -> bool:
    """Whether a function weighs the values wherever it is judged on a few ordinary numbers and returned something."""
    asked = (v for v in verdicts if v.returned and v.probe.naming and v.probe.call.again is None and _is_ordinary(v))
    return all(averages(v) for v in asked if all(array.dtype.kind == "f" for array in v.probe.call.args))


def averages(verdict: ProbeVerdict | None) -> bool:
    """Whether a call of queries, keys and values gave weights and, with them, the mean of the values.

    An axis of length one too many or too few does not matter: it costs the share for the form.
    """
    if verdict is None or len(verdict.reading.items) != 2:  # noqa: PLR2004 (a pair)
        return False
    queries, _, values = verdict.probe.call.args
    mean, weights = (item.array for item in verdict.reading.items)
    if mean is None or weights is None or weights.size != len(queries) * len(values):
        return False
    expected = weights.astype(np.float64).reshape(len(queries), len(values)) @ values
    if mean.size != expected.size:
        return False
    precision = max(
        [_ROUNDING, *(_STEPS * float(np.finfo(x.dtype).eps) for x in (mean, weights) if x.dtype.kind == "f")]
    )
    largest = max(1.0, *(float(np.max(np.abs(array), initial=0.0)) for array in (values, expected)))
    return distance(mean.reshape(expected.shape), expected) <= precision * largest


def weights_follow(calls: OwnCalls, base: str, turned: Iterable[str]) -> bool:
    """Whether the weights of a call change in each of the calls in which one of its arguments is turned round."""
    here = own_array(calls, base, 1)
    others = [own_array(calls, name, 1) for name in turned]
    return here is not None and all(
        other is not None and other.shape == here.shape and distance(here, other) > _TURNED for other in others
    )
