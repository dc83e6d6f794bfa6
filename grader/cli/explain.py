"""`grade explain CODE`: a known mistake, in words."""

import difflib
import textwrap
from typing import TYPE_CHECKING

import click

from grader.cli.terminal import write_out
from grader.errors import UsageError

if TYPE_CHECKING:
    from grader.exercises.exercise import Mistake


@click.command("explain")
@click.argument("code", metavar="CODE")
@click.option("--instructor", is_flag=True, help="Print idea, formula, sources and when it is invisible, too.")
def command(*, code: str, instructor: bool) -> int:
    """Explain a known mistake, with an experiment to try. CODE is printed beside a finding, like E1-01."""
    from grader.exercises.catalogue import CATALOGUE

    wanted = code.strip().upper()
    if wanted not in CATALOGUE:
        near = difflib.get_close_matches(wanted, CATALOGUE, n=1)
        advice = (
            f"Did you mean {near[0]}?"
            if near
            else "A finding prints its code, like E1-01, E2-01, E3J-01, E3B-01 or FD-01."
        )
        message = f"`{code}` is not the code of a known mistake. {advice}"
        raise UsageError(message)
    write_out("\n".join(_describe(CATALOGUE[wanted], instructor=instructor)) + "\n")
    return 0


def _describe(mistake: "Mistake", *, instructor: bool) -> list[str]:
    lines = [
        f"{mistake.code}: {mistake.title} ({mistake.severity.value})",
        _line("seen in", ", ".join(mistake.functions)),
        _line("try", mistake.experiment),
    ]
    if not instructor:
        return lines
    lines += [_line("idea", mistake.idea), _line("formula", mistake.formula), _line("invisible", mistake.invisible)]
    if mistake.aliases:
        lines.append(_line("same as", ", ".join(sorted(mistake.aliases))))
    lines += [_line("source", source) for source in mistake.sources]
    return lines


def _line(label: str, text: str) -> str:
    return textwrap.fill(text, 80, initial_indent=f"  {label:<10}", subsequent_indent=" " * 12, break_long_words=False)
