"""Keep the frozen key of the public seed in step with exercises and solutions."""

from pathlib import Path

import numpy as np

from grader.course import Course, digest_sources
from grader.files import write_atomically
from grader.key.building import build_key, digest_inputs
from grader.key.frozen import freeze, load_key
from grader.key.model import PUBLIC_SEED, Answer


def write_public_key(course: Course) -> Path:
    """Build the key of the public seed and write it where the package keeps it; return that path."""
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
            if name not in old[code] or not _agree(old[code][name], answer)
        ]
    return faults


def _agree(old: Answer, new: Answer) -> bool:
    """Compare up to the last bits, which differ between CPUs; infinite and undefined entries must stand alike."""
    if (old.raises, old.changed, len(old.items)) != (new.raises, new.changed, len(new.items)):
        return False
    with np.errstate(all="ignore"):
        return all(
            a.shape == b.shape and np.allclose(a, b, rtol=1e-9, atol=1e-9, equal_nan=True)
            for a, b in zip(old.items, new.items, strict=True)
        )
