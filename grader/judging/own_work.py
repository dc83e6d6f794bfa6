"""What a student's own functions gave, for rules that hold one piece of a submission against another."""

from collections.abc import Mapping, Sequence

import numpy as np

from grader.exercises.probe import Array
from grader.judging.arrays import Band
from grader.judging.verdicts import ProbeVerdict

Verdicts = Mapping[str, Sequence[ProbeVerdict]]
"""The verdicts on a submission's probes, by asked-for name, in the order of the ladder."""


def find_verdict(verdicts: Verdicts, function: str, probe_id: str) -> ProbeVerdict | None:
    """Return the verdict on one probe; None where it was not asked."""
    return next((verdict for verdict in verdicts.get(function, ()) if verdict.probe.id == probe_id), None)


def own_array(verdicts: Verdicts, function: str, probe_id: str, item: int = 0) -> Array | None:
    """Return one thing that the student's function gave on a call, as a float array; None where it is no numbers."""
    verdict = find_verdict(verdicts, function, probe_id)
    if verdict is None or len(verdict.reading.items) <= item:
        return None
    array = verdict.reading.items[item].array
    if array is None or not array.size or not np.all(np.isfinite(array)):
        return None
    return array.astype(np.float64)


def in_note_band(verdicts: Sequence[ProbeVerdict]) -> bool:
    """Whether a function's results are right to single precision only: so returned, or never further off."""
    # What came in single precision may go back in it.
    told = [verdict for verdict in verdicts if not (verdict.probe.extreme or verdict.probe.call.single)]
    items = [item for verdict in told for item in verdict.items]
    bands = {item.band for item in items}
    return any(item.single for item in items) or (Band.NOTE in bands and Band.WRONG not in bands)
