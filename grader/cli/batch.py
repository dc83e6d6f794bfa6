"""`grade batch SUBMISSIONS --out DIR`: the work of a class."""

import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Literal

import click

from grader.batch.collect import DEFAULT_LAYOUT, DownloadOptions
from grader.cli.ending import DONE, FAULT, INTERRUPTED, TERMINATED, TerminatedError
from grader.cli.grade import find_path
from grader.cli.options import class_options
from grader.cli.terminal import write_note, write_out
from grader.errors import NothingToGradeError, UsageError
from grader.settings import Settings
from grader.shortage import refuse_too_little_memory
from grader.submissions.layouts import LAYOUTS
from grader.submissions.layouts.lateness import read_due

_HELP = """Grade a class: SUBMISSIONS, a folder or a zip file, holds a folder or a file for each student.

It may be the download of a learning platform as it comes.

Run it again to go on where it stopped: students who have a report are skipped as long as work, key and settings are the
same.

\b
  grade batch submissions/ --out results/
  grade batch download.zip --out results/
  grade batch submissions/ --out results/ --jobs 8 --only-failed
"""


@click.command("batch", help=_HELP)
@click.argument("submissions")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    metavar="DIR",
    help="Folder for the results.",
)
@click.option(
    "--layout",
    type=click.Choice([DEFAULT_LAYOUT, *LAYOUTS]),
    default=DEFAULT_LAYOUT,
    show_default=True,
    help="How SUBMISSIONS is laid out; auto recognises it by the names.",
)
@click.option(
    "--name-regex",
    metavar="REGEX",
    help="Another layout: matches the path of each file, with groups student, and file, attempt, time where known.",
)
@click.option(
    "--attempts",
    type=click.Choice(["latest", "best"]),
    default="latest",
    show_default=True,
    help="Which of a student's attempts counts; best grades them all.",
)
@click.option(
    "--due", metavar="TIME", help='Tells who was late, by a time with a zone: "2026-02-01 23:59 Europe/Berlin".'
)
@click.option("--jobs", type=click.IntRange(1, 1024), metavar="N", help="Processes at once (default: one per core).")
@click.option("--force", is_flag=True, help="Regrade everyone, including those with a report.")
@click.option("--only-failed", is_flag=True, help="Grade only students without a result; keep every other report.")
@class_options
def command(  # noqa: PLR0913 (an argument for each option)
    *,
    submissions: str,
    out: Path,
    layout: str,
    name_regex: str | None,
    attempts: Literal["latest", "best"],
    due: str | None,
    jobs: int | None,
    force: bool,
    only_failed: bool,
    settings: Settings,
) -> int:
    """Grade a class, print the summary, and return the exit code."""
    path = find_path(submissions)
    if name_regex is not None and layout != DEFAULT_LAYOUT:
        message = "--layout and --name-regex each say how the names are read. Give one of them."
        raise UsageError(message)
    options = DownloadOptions(layout, name_regex, attempts, read_due(due) if due is not None else None)
    if force and only_failed:
        message = "--force grades everybody and --only-failed does not. Give one of them."
        raise UsageError(message)

    refuse_too_little_memory()
    from grader.batch.download import open_download
    from grader.batch.progress import choose_progress
    from grader.batch.rows import has_result
    from grader.batch.run import grade_batch
    from grader.batch.summary import has_nothing, summarise
    from grader.batch.terms import Batch

    try:
        with open_download(path) as opened:
            for note in opened.notes:
                write_note(note)
            chosen = replace(options, refused=opened.refused)
            batch = Batch(opened.tree, out, chosen, jobs, force=force, only_failed=only_failed)
            result = grade_batch(batch, settings, choose_progress(sys.stderr, write_note))
        write_out(summarise(result))
    except (KeyboardInterrupt, TerminatedError) as error:  # before the grading, or after the gradebook
        return _tell_end(by_hand=isinstance(error, KeyboardInterrupt))
    if result.stopped_by is not None:
        return _tell_end(by_hand=result.stopped_by is signal.SIGINT)
    if has_nothing(result):
        message = f"no submission in {path} has any asked-for function. Is this the right folder?"
        raise NothingToGradeError(message)
    return DONE if all(has_result(row) for row in result.rows) else FAULT


def _tell_end(*, by_hand: bool) -> int:
    write_note(f"{'interrupted' if by_hand else 'ended by a signal'}; run the same command again to go on.")
    return INTERRUPTED if by_hand else TERMINATED
