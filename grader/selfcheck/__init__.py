"""Prove the grader: right work keeps its points, every known mistake loses some and is named as itself."""

from collections.abc import Callable, Sequence

from grader.calls import Limits
from grader.course import Course
from grader.key.answer_key import PUBLIC_SEED
from grader.key.building import build_key
from grader.sandbox import Engine
from grader.selfcheck.margins import measure_margins
from grader.selfcheck.mistakes import try_mistakes
from grader.selfcheck.mutants import try_mutants
from grader.selfcheck.regions import try_regions
from grader.selfcheck.shelves import try_cheats, try_solutions, try_stubs, try_variants
from grader.selfcheck.tally import Failure, Premises, Tally
from grader.settings import Settings

__all__ = ["Failure", "Tally", "check_grader"]

# The known mistakes run as one submission of some 9,000 calls; a student's 30 s are meant for some 260.
_LIMITS = Limits(submission=300.0)


def check_grader(
    course: Course,
    engine: Engine,
    slugs: Sequence[str],
    seeds: int,
    tell: Callable[[str], None],
    *,
    mutants: bool = False,
) -> Tally:
    """Run every proof on the public seed and on `seeds - 1` further ones.

    Parameters
    ----------
    course : Course
        With solutions; the shelves of right variants and cheats lie beside them, in `tests/`.
    engine : Engine
        Runs the work; it stays open.
    slugs : sequence of str
        The exercises to check; none means all.
    seeds : int
        At least one.
    tell : callable
        Hears about progress.
    mutants : bool
        Whether to try edits of the reference as well, on the public seed: this takes minutes.

    Returns
    -------
    Tally
        The counts, and a failure for each proof that fails.
    """
    solutions = course.require_solutions("`grade selfcheck`")
    premises = Premises(course, engine, Settings(tuple(slugs), _LIMITS), solutions)
    tally = Tally()
    for k in range(seeds):
        key = build_key(course, PUBLIC_SEED + k)
        tell(f"seed {key.seed}: solutions and stubs")
        try_solutions(premises, key, tally)
        try_stubs(premises, key, tally)
        tell(f"seed {key.seed}: known mistakes")
        try_mistakes(premises, key, tally)
        measure_margins(premises, key, tally)
        tell(f"seed {key.seed}: regions of the arguments")
        try_regions(premises, key, tally)
        tell(f"seed {key.seed}: right variants and cheats")
        try_variants(premises, key, tally)
        try_cheats(premises, key, tally)
    if mutants:
        try_mutants(premises, build_key(course, PUBLIC_SEED), tally, tell)
    return tally
