"""What becomes of a report: files first, so that a closed pipe cannot lose them, then stdout."""

import sys
from typing import TYPE_CHECKING

from grader.cli.options import Choices
from grader.cli.terminal import speaks_unicode, text_width, wants_color, write_note, write_out
from grader.errors import GraderError
from grader.feedback import FORMATS, View

if TYPE_CHECKING:
    from grader.report import Report


def present(report: "Report", choices: Choices) -> None:
    """Write the report's files and print it. Raises `GraderError` after printing where a file could not be written."""
    failure = _write_files(report, choices)
    color = wants_color(choices.color, sys.stdout) and choices.format == "text"
    view = View(hints=choices.hints, color=color, width=text_width(sys.stdout), unicode=speaks_unicode(sys.stdout))
    text = FORMATS[choices.format](report, view)
    # Only the table is for people; other formats are bytes for programs, in UTF-8 on every system.
    write_out(text if choices.format == "text" else text.encode(), color=color)
    if failure is not None:
        raise failure
    if not choices.no_report:
        write_note(f"the report is in {choices.report}.")


def _write_files(report: "Report", choices: Choices) -> GraderError | None:
    from grader.files import write_atomically
    from grader.report import write_report

    try:
        if not choices.no_report:
            write_report(report, choices.report)
        for form, path in choices.output:
            write_atomically(path, FORMATS[form](report, View(hints=choices.hints)).encode())
    except GraderError as error:
        return error
    return None
