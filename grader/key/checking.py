"""Keep the frozen key of the public seed in step with exercises and solutions."""

from pathlib import Path

import numpy as np

from grader.course import Course, digest_sources
from grader.exercises.catalogue import CATALOGUE
from grader.exercises.probe import Array
from grader.files import write_atomically
from grader.key.answer_key import PUBLIC_SEED, Answer
from grader.key.building import build_key, digest_inputs
from grader.key.frozen import freeze, load_key


def write_public_key(course: Course) -> Path:
    """Build the key of the public seed, write it where the course keeps it, and return that path."""
    write_atomically(course.public_key, freeze(build_key(course, PUBLIC_SEED)))
    return course.public_key


def check_public_key(course: Course) -> list[str]:
    """Return what is out of step between the frozen key and the sources, one sentence each; empty when in step."""
    frozen = load_key(course.public_key)
    fresh = build_key(course, PUBLIC_SEED)
    recomputed = digest_inputs(frozen.seed, frozen.probes, digest_sources(course))
    if frozen.digest != fresh.digest or recomputed != fresh.digest:
        return ["The inputs, tolerances or sources have changed since the key was frozen."]
    if set(frozen.answers) != set(fresh.answers):
        return ["The frozen key answers other probes than the exercises ask."]
    faults = [
        f"{name}: the right answer has moved."
        for name, answer in fresh.answers.items()
        if not _agree(frozen.answers[name], answer)
    ]
    for function, table in fresh.mistakes.items():
        old = frozen.mistakes.get(function, {})
        if set(table) != set(old):
            faults.append(f"{function}: the known mistakes have changed.")
            continue
        faults += [
            f"{function}: {code} gives another answer on {name}."
            for code, answers in table.items()
            for name, answer in answers.items()
            if name not in old[code]
            or not _agree(old[code][name], answer, fresh.answers[name] if _is_rounding(code) else None)
        ]
    return faults


def _is_rounding(code: str) -> bool:
    return any(CATALOGUE[part].rounding for part in code.split("+"))


def _agree(old: Answer, new: Answer, right: Answer | None = None) -> bool:
    """Return whether two answers agree up to the last bits; infinities and NaN must stand at the same places.

    The last bits differ between processors. Where `right` is given, the answers are nothing but errors of rounding:
    two processors may differ by as much as each of them is away from the right answer.
    """
    if (old.raises, old.changed, old.words, len(old.items)) != (new.raises, new.changed, new.words, len(new.items)):
        return False
    with np.errstate(all="ignore"):
        return all(
            a.shape == b.shape and np.allclose(a, b, rtol=_last_bits(a, b), atol=_noise(b, right, k), equal_nan=True)
            for k, (a, b) in enumerate(zip(old.items, new.items, strict=True))
        )


def _last_bits(a: Array, b: Array) -> float:
    """Return the relative size of the last bits: those of single precision where both arrays hold nothing finer."""
    single = all(x.dtype.kind == "f" and np.array_equal(x, x.astype(np.float32), equal_nan=True) for x in (a, b))
    return 1e-6 if single else 1e-9


def _noise(item: Array, right: Answer | None, place: int) -> float:
    return 1e-9 if right is None else max(1e-9, 4 * float(np.max(np.abs(item - right.items[place]), initial=0.0)))
