"""How to grade, in one record: made once, on the command line, and passed as it is to everything that grades.

A worker of a batch is another process: it gets the record as plain values (`pack`) and makes it anew (`unpack`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from grader.files import pack_path, unpack_path
from grader.limits import Limits

Isolation = Literal["full", "weak"]


@dataclass(frozen=True)
class Settings:
    """How to grade. The defaults are those of a student's own run.

    Attributes
    ----------
    exercises : tuple of str
        Slugs of the exercises that are judged; none means all.
    limits : Limits
        Time, memory and output that the sandbox allows. Their defaults stand in that class and nowhere else.
    isolation : {"full", "weak"}, optional
        With "full", a system that cannot hide files from student code is refused. Without a choice the sandbox is as
        strong as the system allows, and a batch with hidden inputs demands "full".
    seed : int, optional
        Draws the inputs, in a batch the hidden ones. Without it one person's work gets the public inputs of the frozen
        key, and a batch the seed that its folder keeps.
    course : Path, optional
        A folder with `solutions/` and `assignments/`; by default the checkout, or what is installed.
    """

    exercises: tuple[str, ...] = ()
    limits: Limits = Limits()
    isolation: Isolation | None = None
    seed: int | None = None
    course: Path | None = None

    def pack(self) -> dict[str, Any]:
        """Return the settings as values that JSON takes as they are."""
        return {
            "exercises": list(self.exercises),
            "limits": self.limits._asdict(),
            "isolation": self.isolation,
            "seed": self.seed,
            "course": None if self.course is None else pack_path(self.course),
        }

    @classmethod
    def unpack(cls, packed: Mapping[str, Any]) -> "Settings":
        """Return the settings that `pack` wrote."""
        course = packed["course"]
        return cls(
            exercises=tuple(packed["exercises"]),
            limits=Limits(**packed["limits"]),
            isolation=packed["isolation"],
            seed=packed["seed"],
            course=None if course is None else unpack_path(course),
        )
