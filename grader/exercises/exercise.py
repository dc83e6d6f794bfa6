"""What an exercise is made of: functions, checks with points, known mistakes. Data only; no right answer, no NumPy.

The records are named tuples: defining one takes a tenth of the time of a frozen dataclass, and a student's own run
imports all of them before it can say anything.
"""

from enum import StrEnum
from typing import NamedTuple


class Rule(StrEnum):
    """How a check is judged."""

    VALUES = "values"  # the numbers, on every probe of the check
    FORM = "form"  # array or scalar, shape
    UNMODIFIED = "unmodified"  # the arguments are the same after the call
    RAISES = "raises"  # the promised exception
    WRITTEN = "written"  # a person reads it
    OWN = "own"  # by a rule that only this exercise has, from its folder


class Item(NamedTuple):
    """One thing that a function returns: its name and its shape in words."""

    name: str
    shape: str


class Function(NamedTuple):
    """An asked-for name: what it takes and returns, and whether its answer is a constant that stays secret."""

    name: str
    signature: str
    returns: tuple[Item, ...]
    constant: bool = False
    secret: bool = False


class Check(NamedTuple):
    """A share of a function's points.

    `items` are the returned things that are compared (None: all). `needs_value` makes the check wait until at least
    one value probe of the function is right: a function that always raises has not refused anything. `builds_on` names
    the function whose slip is not charged a second time, where the exercise's own rule gives credit for what follows
    from it.
    """

    name: str
    title: str
    function: str
    points: float
    rule: Rule
    items: tuple[int, ...] | None = None
    needs_value: bool = False
    builds_on: str | None = None


class Severity(StrEnum):
    """Whether a known mistake costs points or is only worth a remark."""

    WRONG = "wrong"
    NOTE = "note"


class Mistake(NamedTuple):
    """A known mistake, as a linter's rule. Its executable form lives with the solutions.

    `experiment` and `idea` point at something to try and never contain the formula; `formula`, `invisible` (when it
    gives the right answer by accident) and `sources` are for instructors. `aliases` cannot be told apart. The numbers
    of a `rounding` mistake are errors of rounding, which differ between processors.
    """

    code: str
    title: str
    functions: tuple[str, ...]
    experiment: str
    idea: str
    formula: str
    invisible: str
    severity: Severity = Severity.WRONG
    aliases: frozenset[str] = frozenset()
    rounding: bool = False
    sources: tuple[str, ...] = ()


class Exercise(NamedTuple):
    """One exercise. What else belongs to it lies in its folder: see `grader.exercises.parts`."""

    slug: str
    title: str
    functions: tuple[Function, ...]
    checks: tuple[Check, ...]

    @property
    def max_score(self) -> float:
        """Points that are given automatically."""
        return sum(check.points for check in self.checks if check.rule is not Rule.WRITTEN)

    @property
    def pending_score(self) -> float:
        """Points that wait for a person."""
        return sum(check.points for check in self.checks if check.rule is Rule.WRITTEN)

    def function(self, name: str) -> Function:
        """Return the asked-for function of that name."""
        return next(function for function in self.functions if function.name == name)
