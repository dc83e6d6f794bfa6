"""What a ladder is made of: probes. Data only; no right answer.

A probe is one call whose right answer the answer key holds. Probes are generated from a seeded generator, inputs
rounded to three decimals so that a counterexample can be typed and the same seed gives the same bytes everywhere.
A function may see the arguments of functions that are asked after it, so no argument holds another call's answer.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from grader.calls import Call, Ref

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[Any]
    ProbeBuilder: TypeAlias = Callable[[np.random.Generator], tuple["Probe", ...]]
else:
    # numpy.typing and numpy.random are slow to import, and a student's own run needs neither.
    Array = np.ndarray
    ProbeBuilder = Callable


_SMALLEST = sys.float_info.min


class Tolerance(NamedTuple):
    """How near one returned thing must be: `max|y - r| <= right * scale` is right, up to `note` right with a note.

    `scale` None stands for `max(max|r|, floor)`. `note` None: there is no note band.
    """

    right: float = 1e-10
    note: float | None = 1e-5
    scale: float | None = None
    floor: float = 0.0

    def scaled_by(self, right_answer: Array) -> float:
        """Return the scale for this right answer; never zero."""
        if self.scale is not None:
            return max(self.scale, _SMALLEST)
        largest = float(np.abs(right_answer).max()) if right_answer.size else 0.0
        return max(largest, self.floor, _SMALLEST)


class Probe(NamedTuple):
    """One call with a known answer, and the checks that it feeds.

    `rung` says in words what is special about it. `raises` names the exception that is the right answer.
    `naming` probes are small: each known mistake is evaluated on them. `seeded` inputs differ from seed to seed.
    `judged` False: the call only serves other checks (a moved input, a stage run on the student's own weights).
    `secret`: its right answer is a constant that an exercise asks for, and is never shown.
    `when_wrong`: it is asked only where one of these functions is wrong on a public probe; most work needs none.
    """

    call: Call
    rung: str
    checks: tuple[str, ...] = ()
    tolerances: tuple[Tolerance, ...] = ()
    raises: str | None = None
    naming: bool = True
    seeded: bool = True
    hidden: bool = False
    judged: bool = True
    secret: bool = False
    when_wrong: tuple[str, ...] = ()

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
            return Ref(prefix + value.call, value.item) if isinstance(value, Ref) else value

        args = tuple(renamed(value) for value in self.call.args)
        again = None if self.call.again is None else tuple(renamed(value) for value in self.call.again)
        call = self.call._replace(id=prefix + self.call.id, args=args, again=again, later=True)
        return self._replace(call=call, hidden=True)


class SecondReference(NamedTuple):
    """A second, independent way to the right answer: no key is built where it disagrees with the reference.

    `name` is a public function of a solution file. `compute` takes a call and that function, and returns for each time
    that the call is made what its first returned thing should be, and how far the reference may be from it.
    """

    name: str
    compute: Callable[[Call, Callable[..., Any]], Sequence[tuple[Array, float]]]


class Ladder(NamedTuple):
    """The probes of an exercise, simplest first for each function, made from a seeded generator.

    `second` says for each asked-for function what checks its reference, or in words why nothing has to: a function
    that is left out is a fault of the exercise. `gradients` are the right answers where a call takes a smooth function,
    by that function's name.
    """

    probes: ProbeBuilder
    second: Mapping[str, SecondReference | str]
    gradients: Mapping[str, Callable[[Array], Array]] = MappingProxyType({})


class Way(NamedTuple):
    """How the arrays of a call come: see `Call`."""

    order: str = "C"
    readonly: bool = False
    single: bool = False


PLAIN = Way()
SLICED = Way(order="S")
READONLY = Way(readonly=True)
SINGLE = Way(single=True)
READONLY_SINGLE = Way(readonly=True, single=True)
EVERY_WAY = Way(order="S", readonly=True, single=True)


def ask_broadly(
    call_id: str,
    rung: str,
    check: str,
    first: tuple[Any, ...],
    second: tuple[Any, ...] | None,
    tolerances: Callable[..., tuple[Tolerance, ...]],
    way: Way = PLAIN,
) -> Probe:
    """Return a broad probe: one function called with two lists of arguments, one call after the other, or with one.

    `tolerances` gives those of one call from its arguments. What comes in single precision is right to its digits.
    """
    each = tuple(tolerance for args in (first, second) if args is not None for tolerance in tolerances(*args))
    if way.single:
        each = tuple(tolerance._replace(right=1e-5, note=None) for tolerance in each)
    call = Call(call_id, call_id.partition("/")[0], first, again=second, **way._asdict())
    return Probe(call, rung, (check,), each, naming=False)


def draw(rng: np.random.Generator, *shape: int, scale: float = 1.0) -> Array:
    """Return normal numbers rounded to three decimals: typed easily, and the same bytes on every machine."""
    return np.round(rng.standard_normal(shape) * scale, 3)


def draw_sized(rng: np.random.Generator, n: int, width: int, size: float) -> Array:
    """Return numbers of the size's sign, none of them zero: eighths of it, of which single precision holds ones up."""
    eighths = np.abs(np.round(rng.standard_normal((n, width)) * 8)) + 1
    sized: Array = np.round(eighths / 8 * size, 9)  # as somebody would type it, 1e-6 times an eighth included
    return sized


def draw_all(rng: np.random.Generator, *wanted: tuple[int, int, float]) -> tuple[Array, ...]:
    """Return such numbers for several arrays, each given by its rows, its columns and its size."""
    return tuple(draw_sized(rng, *one) for one in wanted)


def draw_equal(rng: np.random.Generator, n: int, width: int, size: float) -> Array:
    """Return `n` such rows that are alike."""
    return np.tile(draw_sized(rng, 1, width, size), (n, 1))


def repeat_rows(rng: np.random.Generator, n: int, *shape: int) -> Array:
    """Return `n` rows of which the first and the last are alike, the second is zero, and few others are new."""
    few = draw(rng, 3, *shape)
    rows: Array = few[np.arange(n) % 3]
    rows[1] = 0.0
    rows[-1] = rows[0]
    return rows
