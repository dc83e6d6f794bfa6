"""Render a report. Each rendering is a function of report and view; nothing here grades or reads files.

A new format is a file and a row in `FORMATS`.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from grader.report import Report


class View(NamedTuple):
    """How much help is shown, and on what kind of page. A named tuple, since every start of the command makes it.

    `hints` 0 gives observations, 1 an experiment to try, too, and 2 the idea behind it.
    """

    hints: int = 1
    color: bool = False
    width: int = 80
    unicode: bool = True


def _text(report: "Report", view: View) -> str:
    from grader.feedback.text import render_text

    return render_text(report, view)


def _json(report: "Report", view: View) -> str:  # noqa: ARG001 (every format takes a view)
    from grader.report import dump_report

    return dump_report(report)


FORMATS: Mapping[str, Callable[["Report", View], str]] = MappingProxyType({"text": _text, "json": _json})
