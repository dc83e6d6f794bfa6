"""What the proofs have in common: what they look at, what they count."""

from dataclasses import dataclass, field
from pathlib import Path

from grader.calls import Limits
from grader.course import Course
from grader.exercises.exercise import Exercise
from grader.sandbox import Engine

LIMITS = Limits(submission=300.0)


@dataclass(frozen=True)
class Finding:
    """Something that does not hold: what it is about and what was seen."""

    subject: str
    problem: str


@dataclass
class Tally:
    """What was counted. A name is right where it is the mistake's own, up to declared aliases."""

    known: int = 0  # a code in a function
    wrong: int = 0
    accepted: int = 0  # wrong mistakes that lost nothing
    named: int = 0
    misnamed: int = 0
    right: int = 0
    rejected: int = 0  # right submissions that lost a point
    cheats: int = 0
    regions: int = 0  # one for each function and each thing that it returns
    unseen: int = 0  # where a wrong answer cost nothing
    mutants: int = 0
    equivalent: int = 0  # mutants that are as right as the reference, and listed
    smallest_margin: float = float("inf")
    smallest_at: str = ""
    findings: list[Finding] = field(default_factory=list)

    def fault(self, subject: str, problem: str) -> None:
        """Keep a finding."""
        self.findings.append(Finding(subject, problem))


@dataclass(frozen=True)
class Bench:
    """What every step needs."""

    course: Course
    engine: Engine
    exercises: tuple[Exercise, ...]
    solutions: Path

    @property
    def functions(self) -> frozenset[str]:
        """The asked-for names of these exercises."""
        return frozenset(function.name for exercise in self.exercises for function in exercise.functions)
