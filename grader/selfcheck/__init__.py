"""Prove the grader: what is right keeps its points, every known mistake loses some and is named as itself."""

from collections.abc import Callable, Sequence

from grader.course import Course
from grader.exercises import chosen_exercises
from grader.key.answer_key import PUBLIC_SEED
from grader.key.building import build_key
from grader.sandbox import Engine
from grader.selfcheck.margins import check_margins
from grader.selfcheck.mistakes import check_mistakes
from grader.selfcheck.mutants import check_mutants
from grader.selfcheck.regions import check_regions
from grader.selfcheck.shelves import check_cheats, check_solutions, check_stubs, check_variants
from grader.selfcheck.tally import Bench, Finding, Tally

__all__ = ["Finding", "Tally", "check_grader"]


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
        What was counted, and a finding for each proof that fails.
    """
    exercises = chosen_exercises(slugs)
    bench = Bench(course, engine, exercises, course.require_solutions("`grade selfcheck`"))
    tally = Tally()
    for k in range(seeds):
        key = build_key(course, PUBLIC_SEED + k)
        tell(f"seed {key.seed}: solutions and stubs")
        check_solutions(bench, key, tally)
        check_stubs(bench, key, tally)
        tell(f"seed {key.seed}: known mistakes")
        check_mistakes(bench, key, tally)
        check_margins(bench, key, tally)
        tell(f"seed {key.seed}: regions of the arguments")
        check_regions(bench, key, tally)
        tell(f"seed {key.seed}: right variants and cheats")
        check_variants(bench, key, tally)
        check_cheats(bench, key, tally)
    if mutants:
        check_mutants(bench, build_key(course, PUBLIC_SEED), tally, tell)
    return tally
