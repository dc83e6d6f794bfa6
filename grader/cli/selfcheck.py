"""`grade selfcheck`: prove the grader by its own catalogue of mistakes."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.options import course_option, exercise_option
from grader.cli.terminal import write_note, write_out
from grader.errors import CourseError

if TYPE_CHECKING:
    from grader.selfcheck import Tally


@click.command("selfcheck")
@exercise_option("Check this exercise only")
@click.option(
    "--seeds", type=click.IntRange(1, 10_000), default=1, show_default=True, help="Number of seeds to prove it on."
)
@click.option("--mutants", is_flag=True, help="Try edits of the reference made by rule, too (some minutes).")
@course_option
def command(*, exercises: tuple[str, ...], seeds: int, mutants: bool, course: Path | None) -> int:
    """Prove that right work keeps its points and that every known mistake is caught and named. Ends with 4 if not."""
    from grader.sandbox import open_engine

    with open_engine() as engine:
        from grader.course import find_course
        from grader.selfcheck import check_grader

        tally = check_grader(find_course(course), engine, exercises, seeds, write_note, mutants=mutants)
    failures = [f"{failure.subject}: {failure.problem}" for failure in tally.failures]
    write_out("\n".join([*failures, *_figures(tally)]) + "\n")
    if tally.failures:
        message = f"{len(tally.failures)} of the proofs fail (see stdout). Mend the exercise, the key or the grader."
        raise CourseError(message)
    return 0


def _figures(tally: "Tally") -> list[str]:
    found = tally.named + tally.misnamed
    return [
        f"known mistakes    {tally.wrong} that cost points, {tally.accepted} of them kept full marks (false accepts)",
        (
            f"names             {tally.named} of {tally.known} right (recall {tally.named / max(tally.known, 1):.4f}), "
            f"{tally.misnamed} wrong (precision {tally.named / max(found, 1):.4f})"
        ),
        f"right variants    {tally.right} graded, {tally.rejected} lost points (false rejects)",
        f"cheats            {tally.cheats} graded",
        f"regions           {tally.regions} looked at, {tally.unseen} where a wrong answer keeps full marks",
        f"smallest margin   {tally.smallest_margin:.3g} times the limit ({tally.smallest_at})",
        *([f"mutants           {tally.mutants} tried, {tally.equivalent} of them as right"] if tally.mutants else []),
    ]
