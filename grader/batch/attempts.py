"""Choose the attempt that counts, where all attempts of a student were graded."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from grader.batch.collect import HandIn, Skipped
from grader.export.gradebook import Row


@dataclass(frozen=True)
class Chosen:
    """A row for each student, with the work it is for; and the other attempts, which stay on record."""

    kept: tuple[tuple[Row, HandIn], ...]
    others: tuple[Skipped, ...]


def choose_attempts(rows: Sequence[Row], hand_ins: Sequence[HandIn]) -> Chosen:
    """Return the best row of each student: most points, and of equal ones the latest."""
    students: dict[str, list[tuple[Row, HandIn]]] = {}
    for row, hand_in in zip(rows, hand_ins, strict=True):
        students.setdefault(hand_in.entry.attempt_of or hand_in.entry.student, []).append((row, hand_in))
    kept: list[tuple[Row, HandIn]] = []
    others: list[Skipped] = []
    for student, attempts in students.items():
        best = max(attempts, key=lambda pair: (_points(pair[0]), pair[1].entry.attempt or 0))
        if len(attempts) == 1:
            kept.append(best)
            continue
        number, latest = best[1].entry.attempt, max(pair[1].entry.attempt or 0 for pair in attempts)
        flags = () if number == latest else (f"earlier-attempt: number {number} of {latest} has the most points",)
        kept.append((replace(best[0], flags=(*flags, *best[0].flags)), best[1]))
        others += [_tell(student, *pair) for pair in attempts if pair is not best]
    return Chosen(tuple(kept), tuple(others))


def _points(row: Row) -> float:
    return -1.0 if row.automatic is None else row.automatic


def _tell(student: str, row: Row, hand_in: HandIn) -> Skipped:
    points = "no result" if row.automatic is None else f"{row.automatic:g} points"
    return Skipped(student, hand_in.entry.label, f"attempt {hand_in.entry.attempt} ({points}); another one counts")
