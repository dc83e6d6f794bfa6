"""What an exercise is made of: functions, checks with points, known mistakes. Data only; no right answer, no NumPy."""

from enum import StrEnum
from typing import NamedTuple


class Rule(StrEnum):
    """How a check is judged."""

    VALUES = "values"  # the numbers, on every probe of the check
    FORM = "form"  # array or scalar, shape
    UNMODIFIED = "unmodified"  # the arguments are the same after the call
    RAISES = "raises"  # the promised exception
    ORDER = "order"  # the named stages of the chain
    GRADIENT = "gradient"  # the three verdicts on a whole gradient
    WRITTEN = "written"  # a person reads it


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
    one value probe of the function is right: a function that always raises has not refused anything.
    """

    name: str
    title: str
    function: str
    points: float
    rule: Rule
    items: tuple[int, ...] | None = None
    needs_value: bool = False


class Verdict(StrEnum):
    """Whether a known mistake costs points or is only worth a remark."""

    WRONG = "wrong"
    NOTE = "note"


class Mistake(NamedTuple):
    """A known mistake, as a linter's rule. Its executable form lives with the solutions.

    `experiment` and `idea` point at something to try and never contain the formula; `formula`, `invisible` (when it
    gives the right answer by accident) and `sources` are for instructors. `aliases` cannot be told apart.
    `axis` names the independent choice (scale, softmax axis, split, merge) that the mistake is about.
    """

    code: str
    title: str
    functions: tuple[str, ...]
    experiment: str
    idea: str
    formula: str
    invisible: str
    verdict: Verdict = Verdict.WRONG
    aliases: frozenset[str] = frozenset()
    axis: str | None = None
    sources: tuple[str, ...] = ()


class Exercise(NamedTuple):
    """One exercise. Its ladder of probes stands in `ladders/`, its known mistakes in `mistakes/`, under the slug."""

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
