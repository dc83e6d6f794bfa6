"""Hand out a report: files first, so that a closed pipe cannot lose them, then stdout."""

import functools
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.options import Decorator, add_options
from grader.cli.terminal import speaks_unicode, text_width, wants_color, write_note, write_out
from grader.errors import GraderError
from grader.feedback import FORMATS, View

if TYPE_CHECKING:
    from grader.report import Report


@dataclass(frozen=True)
class Presentation:
    """How a report is printed, and the files that are written, as chosen on the command line."""

    hints: int
    format: str
    outputs: tuple[tuple[str, Path], ...]
    report: Path
    no_report: bool
    color: str

    def targets(self) -> tuple[Path, ...]:
        """Return the files that will be written."""
        kept = () if self.no_report else (self.report,)
        return (*kept, *(path for _, path in self.outputs))


def _parse_target(word: str) -> tuple[str, Path]:
    """Return the format and the file in `FORMAT:FILE`, or end with a sentence that lists the formats."""
    form, colon, file = word.partition(":")
    if form not in FORMATS or not colon or not file:
        message = f"`{word}` is not FORMAT:FILE; the formats are {', '.join(FORMATS)}, for instance json:out.json."
        raise click.BadParameter(message)
    return form, Path(file)


_PRESENTING: tuple[Decorator, ...] = (
    click.option(
        "--hints",
        type=click.IntRange(0, 2),
        default=View().hints,
        show_default=True,
        help="How much help a finding gives.",
    ),
    click.option(
        "--format", type=click.Choice(list(FORMATS)), default="text", show_default=True, help="Format on stdout."
    ),
    click.option(
        "--output",
        "outputs",
        type=_parse_target,
        multiple=True,
        metavar="FORMAT:FILE",
        help="Write this format to a file, too (repeatable).",
    ),
    click.option(
        "--report",
        type=click.Path(dir_okay=False, path_type=Path),
        default=Path("report.json"),
        show_default=True,
        metavar="FILE",
        help="Where the report goes.",
    ),
    click.option("--no-report", is_flag=True, help="Write no report."),
    click.option(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        show_default=True,
        help="Colour; NO_COLOR and FORCE_COLOR are respected.",
    ),
)


def presenting_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of printing and writing a report; the command gets the choices as `presentation`."""

    @functools.wraps(command)
    def take(**chosen: Any) -> Any:
        presentation = Presentation(**{field.name: chosen.pop(field.name) for field in fields(Presentation)})
        return command(presentation=presentation, **chosen)

    return add_options(_PRESENTING, take)


def present(report: "Report", presentation: Presentation) -> None:
    """Write the report's files and print it. Raise `GraderError` after printing where a file could not be written."""
    failure = _write_files(report, presentation)
    form, hints = presentation.format, presentation.hints
    color = wants_color(presentation.color, sys.stdout) and form == "text"
    view = View(hints=hints, color=color, width=text_width(sys.stdout), unicode=speaks_unicode(sys.stdout))
    text = FORMATS[form](report, view)
    # Only the table is for people; other formats are bytes for programs, in UTF-8 on every system.
    write_out(text if form == "text" else text.encode(), color=color)
    if failure is not None:
        raise failure
    if not presentation.no_report:
        write_note(f"the report is in {presentation.report}.")


def _write_files(report: "Report", presentation: Presentation) -> GraderError | None:
    from grader.files import write_atomically
    from grader.report import write_report

    try:
        if not presentation.no_report:
            write_report(report, presentation.report)
        for form, path in presentation.outputs:
            write_atomically(path, FORMATS[form](report, View(hints=presentation.hints)).encode())
    except GraderError as error:
        return error
    return None
