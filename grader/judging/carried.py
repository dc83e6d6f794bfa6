"""Work that is right on top of the student's own earlier work: a slip in `attention` costs its points once."""

from collections.abc import Mapping, Sequence

import numpy as np

from grader.calls import Ended
from grader.exercises.ladders.model import Array
from grader.exercises.ladders.own import OWN_THIRD_KEY
from grader.judging.arrays import Band, distance, receive_array
from grader.judging.probes import ProbeVerdict

_NEAR = 1e-9

Verdicts = Mapping[str, Sequence[ProbeVerdict]]


def own_array(verdicts: Verdicts, function: str, probe_id: str, item: int | None = None) -> Array | None:
    """Return what the student's function gave on a call, as a float array; None where it gave no numbers."""
    verdict = next((v for v in verdicts.get(function, ()) if v.probe.id == probe_id), None)
    if verdict is None or verdict.reply.ended is not Ended.RETURNED:
        return None
    value = verdict.reply.value
    if item is not None:
        if not isinstance(value, tuple | list) or len(value) <= item:
            return None
        value = value[item]
    array = receive_array(value).array
    if array is None or not array.size or not np.all(np.isfinite(array)):
        return None
    return array.astype(np.float64)


def inherits_third_key(verdicts: Verdicts) -> bool:
    """Whether `third_key()` gives what the student's own `attention` gives on the same data.

    Only an attention that averages values with weights that follow its input can be inherited from: constants,
    returned inputs and random numbers earn nothing here.
    """
    mine = [own_array(verdicts, "third_key", "third_key/page", k) for k in (0, 1)]
    own = [own_array(verdicts, "attention", OWN_THIRD_KEY, k) for k in (0, 1)]
    for a, b in zip(mine, own, strict=True):
        if a is None or b is None or a.shape != b.shape:
            return False
        if not distance(a, b) <= _NEAR * max(1.0, float(np.abs(b).max())):
            return False
    page = next(verdict.probe for verdict in verdicts["attention"] if verdict.probe.id == OWN_THIRD_KEY)
    return averages_values(verdicts) and _averages(own[0], own[1], page.call.args[2])


def averages_values(verdicts: Verdicts) -> bool:
    """Whether the student's attention returns (weights @ V, weights), with weights that depend on Q and K."""
    pairs = []
    for name in ("attention/rectangle", "attention/kept"):
        verdict = next((v for v in verdicts.get("attention", ()) if v.probe.id == name), None)
        output, weights = (own_array(verdicts, "attention", name, k) for k in (0, 1))
        if verdict is None or not _averages(output, weights, verdict.probe.call.args[2]):
            return False
        pairs.append(weights)
    first, second = pairs
    return first is not None and second is not None and first.shape == second.shape and not np.allclose(first, second)


def _averages(output: Array | None, weights: Array | None, V: Array) -> bool:
    if output is None or weights is None or weights.ndim != 2 or weights.shape[1] != V.shape[0]:  # noqa: PLR2004
        return False
    mean = weights @ V
    return output.shape == mean.shape and distance(output, mean) <= 1e-5 * max(1.0, float(np.abs(V).max()))


def in_note_band(verdicts: Sequence[ProbeVerdict]) -> bool:
    """Whether a function's results are right to single precision only: so returned, or never further off."""
    items = [item for verdict in verdicts if not verdict.probe.extreme for item in verdict.items]
    bands = {item.band for item in items}
    return any(item.single for item in items) or (Band.NOTE in bands and Band.WRONG not in bands)
