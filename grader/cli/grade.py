"""`grade PATH...`: one person's work."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli import COMMANDS
from grader.cli.ending import code_of
from grader.cli.group import explain_missing, looks_like_path
from grader.cli.options import Choices, grading_options
from grader.cli.presenting import present
from grader.errors import UsageError

if TYPE_CHECKING:
    from grader.report import Report


@click.command("grade")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@grading_options
def command(paths: tuple[str, ...], **chosen: Any) -> int:
    """Grade one person's work: folders, .py files or notebooks. All PATHs together are one submission."""
    choices = Choices(**chosen)
    found = [find_path(word) for word in paths]
    check_targets(choices.targets())
    report = _grade(found, choices).for_student(keep_seed=True)
    present(report, choices)
    return code_of(report, exit_zero=choices.exit_zero)


def find_path(word: str) -> Path:
    """Return the path that `word` names. Raises `UsageError` with the nearest thing that exists."""
    if word and os.path.exists(word):  # noqa: PTH110 (a name too long for the system is no path, and no error)
        return Path(word)
    # Windows shells leave the tilde to the program.
    expanded = os.path.expanduser(word)  # noqa: PTH111
    if word.startswith("~") and os.path.exists(expanded):  # noqa: PTH110
        return Path(expanded)
    if word in COMMANDS:
        message = f"`{word}` is a command, and a command comes first: `grade {word} ...`; a folder is `./{word}`."
        raise UsageError(message)
    if looks_like_path(word):
        message = f"`{word}` does not exist. Give a folder, a .py file or a notebook."
        raise UsageError(message)
    raise UsageError(explain_missing(word, COMMANDS))


def check_targets(targets: tuple[Path, ...]) -> None:
    """Raise `UsageError` where a file that is to be written has no folder, before anything is graded."""
    for target in targets:
        if not target.parent.is_dir():
            message = (
                f"{target} cannot be written: there is no folder {target.parent}. Create it, or choose another place."
            )
            raise UsageError(message)


def _grade(paths: list[Path], choices: Choices) -> "Report":
    from grader.grading import GradingOptions, grade_paths

    options = GradingOptions(choices.exercise, choices.limits(), choices.isolation)
    return grade_paths(paths, seed=choices.seed, course=choices.course, options=options)
