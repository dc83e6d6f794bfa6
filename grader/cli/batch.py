"""`grade batch SUBMISSIONS --out DIR`: the work of a class."""

import signal
import sys
from pathlib import Path
from typing import Any

import click

from grader.cli.ending import DONE, FAULT, INTERRUPTED, TERMINATED
from grader.cli.grade import find_path
from grader.cli.options import GradingChoices, class_options
from grader.cli.terminal import write_note, write_out
from grader.errors import NothingToGradeError, UsageError


@click.command("batch")
@click.argument("submissions")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True, metavar="DIR", help="Results.")
@click.option("--jobs", type=click.IntRange(1, 1024), metavar="N", help="Processes at once (default: one a core).")
@click.option(
    "--seed", type=click.IntRange(min=0), metavar="INT", help="Of the hidden inputs (default: drawn once, kept in DIR)."
)
@click.option("--force", is_flag=True, help="Grade everybody again, also who has a report.")
@click.option("--only-failed", is_flag=True, help="Grade only who has no result; keep every other report.")
@class_options
def command(
    submissions: str,
    out: Path,
    jobs: int | None,
    force: bool,  # noqa: FBT001 (flags of the command line)
    only_failed: bool,  # noqa: FBT001
    exit_zero: bool,  # noqa: ARG001, FBT001 (missing points never matter here)
    **chosen: Any,
) -> int:
    """Grade a class: SUBMISSIONS holds a folder or a file for each student, as doe/ or doe.ipynb.

    Run it again to go on where it stopped: who has a report is skipped as long as work, key and settings are the same.

    \b
      grade batch submissions/ --out results/
      grade batch submissions/ --out results/ --jobs 8 --only-failed
    """  # noqa: D301 (click's mark for lines that are not wrapped)
    tree = find_path(submissions)
    if not tree.is_dir():
        message = f"{tree} is not a folder. Give the folder that holds a folder or file for each student."
        raise UsageError(message)
    if force and only_failed:
        message = "--force grades everybody and --only-failed does not. Give one of them."
        raise UsageError(message)
    choices = GradingChoices(**chosen)

    from grader.batch.plan import BatchOptions
    from grader.batch.progress import choose_progress
    from grader.batch.run import grade_batch
    from grader.batch.summary import has_nothing, has_result, summarise
    from grader.grading import GradingOptions

    grading = GradingOptions(choices.exercise, choices.limits(), choices.isolation)
    options = BatchOptions(tree, out, grading, choices.seed, jobs, choices.course, force=force, only_failed=only_failed)
    result = grade_batch(options, choose_progress(sys.stderr, write_note))
    write_out(summarise(result))
    if result.stopped_by is not None:
        by_hand = result.stopped_by is signal.SIGINT
        write_note(f"{'interrupted' if by_hand else 'ended by a signal'}; run the same command again to go on.")
        return INTERRUPTED if by_hand else TERMINATED
    if has_nothing(result):
        message = f"no submission in {tree} has any asked-for function. Is this the right folder?"
        raise NothingToGradeError(message)
    return DONE if all(has_result(row) for row in result.rows) else FAULT
