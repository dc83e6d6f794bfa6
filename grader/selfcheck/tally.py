"""What all the proofs share: what they start from, and what they count."""

from dataclasses import dataclass, field
from pathlib import Path

from grader.course import Course
from grader.exercises import chosen_exercises
from grader.exercises.exercise import Exercise
from grader.sandbox import Engine
from grader.settings import Settings


@dataclass(frozen=True)
class Failure:
    """A proof that fails: what it is about, and what was seen."""

    subject: str
    problem: str


@dataclass
class Tally:
    """The counts of all proofs. A name is right where it is the mistake's own, up to declared aliases."""

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
    failures: list[Failure] = field(default_factory=list)

    def fail(self, subject: str, problem: str) -> None:
        """Keep a failure."""
        self.failures.append(Failure(subject, problem))


@dataclass(frozen=True)
class Premises:
    """The start of every proof: the course with its solutions, an engine, and how to grade."""

    course: Course
    engine: Engine
    settings: Settings
    solutions: Path

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """Return the exercises that are checked."""
        return chosen_exercises(self.settings.exercises)

    @property
    def functions(self) -> frozenset[str]:
        """Return the asked-for names of these exercises."""
        return frozenset(function.name for exercise in self.exercises for function in exercise.functions)
