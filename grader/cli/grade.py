"""`grade PATH...`: one person's work."""

import os
from pathlib import Path

import click

from grader.cli import COMMANDS
from grader.cli.ending import code_of
from grader.cli.group import explain_unknown_word, looks_like_path
from grader.cli.options import grading_options
from grader.cli.presenting import Presentation, present, presenting_options
from grader.errors import UsageError
from grader.settings import Settings
from grader.shortage import refuse_too_little_memory


@click.command("grade")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@grading_options
@presenting_options
@click.option("--exit-zero", is_flag=True, help="End with 0 where points are missing (for CI services).")
def command(*, paths: tuple[str, ...], settings: Settings, presentation: Presentation, exit_zero: bool) -> int:
    """Grade one person's work: folders, .py files or notebooks. All PATHs together are one submission."""
    found = [find_path(word) for word in paths]
    _check_targets(presentation.targets())
    refuse_too_little_memory()
    from grader.grading import grade_paths

    report = grade_paths(found, settings).for_student(keep_seed=True)
    present(report, presentation)
    return code_of(report, exit_zero=exit_zero)


def find_path(word: str) -> Path:
    """Return the path that `word` names. Raise `UsageError` with the nearest thing that exists."""
    if word and os.path.exists(word):  # noqa: PTH110 (Path.exists raises where a name is too long)
        return Path(word)
    # Windows shells leave the tilde to the program.
    expanded = os.path.expanduser(word)  # noqa: PTH111 (Path.expanduser raises where nobody has that name)
    if word.startswith("~") and os.path.exists(expanded):  # noqa: PTH110 (as above)
        return Path(expanded)
    if word in COMMANDS:
        message = f"`{word}` is a command, and a command comes first: `grade {word} ...`; a folder is `./{word}`."
        raise UsageError(message)
    if looks_like_path(word):
        message = f"`{word}` does not exist. Give a folder, a .py file or a notebook."
        raise UsageError(message)
    raise UsageError(explain_unknown_word(word, COMMANDS))


def _check_targets(targets: tuple[Path, ...]) -> None:
    """Raise `UsageError` where a file that is to be written has no folder, before anything is graded."""
    for target in targets:
        if not target.parent.is_dir():
            message = (
                f"{target} cannot be written: there is no folder {target.parent}. Create it, or choose another place."
            )
            raise UsageError(message)
