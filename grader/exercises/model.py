"""What an exercise is made of: functions, checks with points, probes, known mistakes. Data only; no right answer.

A probe is one call whose right answer the answer key holds. Probes are generated from a seeded generator, inputs
rounded to three decimals so that a counterexample can be typed and the same seed gives the same bytes everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from grader.sandbox.calls import Call, Ref

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[Any]
    ProbeBuilder: TypeAlias = Callable[[np.random.Generator], tuple["Probe", ...]]
else:
    # numpy.typing and numpy.random are slow to import, and a student's own run needs neither.
    Array = np.ndarray
    ProbeBuilder = Callable


class Rule(StrEnum):
    """How a check is judged."""

    VALUES = "values"  # the numbers, on every probe of the check
    FORM = "form"  # array or scalar, shape
    UNMODIFIED = "unmodified"  # the arguments are the same after the call
    RAISES = "raises"  # the promised exception
    ORDER = "order"  # the named stages of the chain
    GRADIENT = "gradient"  # the three verdicts on a whole gradient
    WRITTEN = "written"  # a person reads it


@dataclass(frozen=True)
class Item:
    """One thing that a function returns: its name and its shape in words."""

    name: str
    shape: str


@dataclass(frozen=True)
class Function:
    """An asked-for name: what it takes and returns, and whether its answer is a constant that stays secret."""

    name: str
    signature: str
    returns: tuple[Item, ...]
    constant: bool = False
    secret: bool = False


@dataclass(frozen=True)
class Check:
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


@dataclass(frozen=True)
class Limit:
    """How near one returned thing must be: `max|y - r| <= right * scale` is right, up to `note` right with a note.

    `scale` None stands for `max(max|r|, floor)`. `note` None: there is no note band.
    """

    right: float = 1e-10
    note: float | None = 1e-5
    scale: float | None = None
    floor: float = 0.0

    def scaled_by(self, right_answer: Array) -> float:
        """Return the scale for this right answer; never zero."""
        tiny = float(np.finfo(np.float64).tiny)
        if self.scale is not None:
            return max(self.scale, tiny)
        largest = float(np.max(np.abs(right_answer))) if right_answer.size else 0.0
        return max(largest, self.floor, tiny)


@dataclass(frozen=True)
class Probe:
    """One call with a known answer, and the checks that it feeds.

    `rung` says in words what is special about it. `raises` names the exception that is the right answer.
    `naming` probes are small: each known mistake is evaluated on them. `seeded` inputs differ from seed to seed.
    `judged` False: the call only serves others (a perturbed input, a link of the carried verdict).
    """

    call: Call
    rung: str
    checks: tuple[str, ...] = ()
    limits: tuple[Limit, ...] = ()
    raises: str | None = None
    naming: bool = True
    seeded: bool = True
    hidden: bool = False
    judged: bool = True

    @property
    def id(self) -> str:
        """The call's name, unique in a key."""
        return self.call.id

    @property
    def extreme(self) -> bool:
        """Whether its scores are beyond what `exp` takes."""
        return any(check.endswith(".large") for check in self.checks)

    @property
    def owner(self) -> str:
        """The asked-for name that the probe is about; it may call another (`attention_grad_q/own/...`)."""
        return self.call.id.rpartition(":")[2].partition("/")[0]

    def hide(self, prefix: str) -> Probe:
        """Return the probe as a hidden one: its name, and the names it refers to, carry the prefix."""

        def renamed(value: Any) -> Any:
            return replace(value, call=prefix + value.call) if isinstance(value, Ref) else value

        args = tuple(renamed(value) for value in self.call.args)
        again = None if self.call.again is None else tuple(renamed(value) for value in self.call.again)
        call = replace(self.call, id=prefix + self.call.id, args=args, again=again, later=True)
        return replace(self, call=call, hidden=True)


class Verdict(StrEnum):
    """Whether a known mistake costs points or is only worth a remark."""

    WRONG = "wrong"
    NOTE = "note"


@dataclass(frozen=True)
class Mistake:
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


@dataclass(frozen=True)
class Exercise:
    """One exercise. `probes` makes its ladder, simplest first, from a seeded generator.

    The known mistakes stand apart, in `grader/exercises/mistakes/`: they are looked at when something is wrong.
    `gradients` are the right answers where a call takes a smooth function, by that function's name.
    """

    slug: str
    title: str
    functions: tuple[Function, ...]
    checks: tuple[Check, ...]
    probes: ProbeBuilder
    gradients: Mapping[str, Callable[[Array], Array]] = field(default_factory=dict)

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


def draw(rng: np.random.Generator, *shape: int, scale: float = 1.0) -> Array:
    """Return normal numbers rounded to three decimals: typed easily, and the same bytes on every machine."""
    return np.round(rng.standard_normal(shape) * scale, 3)
