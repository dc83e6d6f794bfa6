"""End a run: one exit code, at most one sentence on stderr, never a traceback."""

import os
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING

import click

from grader.cli.terminal import silence, write_note
from grader.errors import GraderError

if TYPE_CHECKING:
    from grader.report import Report

DONE = 0
POINTS_MISSING = 1
FAULT = 3
INTERRUPTED = 130
TERMINATED = 143


class TerminatedError(BaseException):
    """The process was asked to end (SIGTERM). As an exception it closes open files and folders on the way out."""


def end_when_asked() -> None:
    """Turn SIGTERM into an exception, so that temporary folders and processes do not stay behind."""

    def end(_number: int, _frame: FrameType | None) -> None:
        raise TerminatedError

    signal.signal(signal.SIGTERM, end)


def settle(action: Callable[[], int]) -> int:
    """Run `action` and return its exit code, or print in one sentence what it raised and return the code of that."""
    try:
        return action()
    except GraderError as error:
        write_note(str(error))
        return error.exit_code
    except click.ClickException as error:
        write_note(_advise(error))
        return error.exit_code
    except (KeyboardInterrupt, click.Abort, TerminatedError) as error:
        asked = isinstance(error, TerminatedError)
        write_note(f"{'ended by a signal' if asked else 'interrupted'}; no report was written.")
        return TERMINATED if asked else INTERRUPTED
    except SystemExit:
        # click raises this where the reader of stdout has left in the middle of a help page.
        return DONE
    except Exception as error:  # noqa: BLE001 (the last place where a fault of ours can become a sentence)
        write_note(_describe_fault(error))
        return FAULT
    finally:
        silence(sys.stdout)


def code_of(report: "Report", *, exit_zero: bool) -> int:
    """Return the exit code of a graded submission; `exit_zero` forgives missing points, never a fault."""
    if report.status == "grader_error" or report.score is None:
        return FAULT
    if exit_zero or report.score >= report.max_score:
        return DONE
    return POINTS_MISSING


def _advise(error: click.ClickException) -> str:
    sentence = error.format_message().strip()
    if not sentence.endswith((".", "?")):
        sentence += "."
    if "--help" in sentence or "Did you mean" in sentence:
        return sentence
    command = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "grade"
    return f"{sentence} See `{command.replace('grade grade', 'grade')} --help`."


def _describe_fault(error: Exception) -> str:
    details = "".join(traceback.format_exception(error))
    name = type(error).__name__
    if os.environ.get("GRADE_DEBUG"):
        return f"an unexpected {name} stopped the grader; it is a fault of the grader, not of the work.\n{details}"
    return (
        f"an unexpected {name} stopped the grader; it is a fault of the grader, not of the work. "
        f"Details: {_keep(details)}; with GRADE_DEBUG=1 they are shown here."
    )


def _keep(details: str) -> str:
    try:
        handle, name = tempfile.mkstemp(prefix="grade-fault-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(details)
    except OSError:
        return "could not be kept on this disk"
    return name
