"""Renderings of a report. Each is a function of the report and the view; nothing here grades or reads files.

A new format is a file and a row in `FORMATS`.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from grader.report import Report


class View(NamedTuple):
    """How much help is shown, and what the place it is shown in can do."""

    hints: int = 1
    color: bool = False
    width: int = 80
    unicode: bool = True


def _text(report: "Report", view: View) -> str:
    from grader.feedback.text import render_text

    return render_text(report, hints=view.hints, color=view.color, width=view.width, unicode=view.unicode)


def _json(report: "Report", view: View) -> str:  # noqa: ARG001 (every format takes a view)
    from grader.report import dump_report

    return dump_report(report)


FORMATS: Mapping[str, Callable[["Report", View], str]] = MappingProxyType({"text": _text, "json": _json})
