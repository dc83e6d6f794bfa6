"""End a run: one exit code, at most one sentence on stderr, never a traceback."""

import errno
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
from grader.inert import printable_lines
from grader.shortage import tell_shortage

if TYPE_CHECKING:
    from grader.report import Report

DONE = 0
POINTS_MISSING = 1
FAULT = 3
INTERRUPTED = 130
TERMINATED = 143
# A person who closes the terminal wants the same as one who sends SIGTERM.
_REQUESTS = [signal.Signals[name] for name in ("SIGTERM", "SIGHUP") if name in signal.Signals.__members__]
_OF_THE_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO)
_NO_FOLDER = "No usable temporary directory"


class TerminatedError(BaseException):
    """The process was asked to end (SIGTERM, SIGHUP). As an exception it closes open files and folders."""


def end_when_asked() -> None:
    """Turn Ctrl-C and requests to end into exceptions, so that temporary folders and processes do not stay behind.

    A request that was ignored before (`nohup`) stays so.
    """

    def end(_number: int, _frame: FrameType | None) -> None:
        raise TerminatedError

    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in _REQUESTS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, end)


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
        write_note(*_describe(error))
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


def _describe(error: Exception) -> tuple[str, str]:
    """Return what to say of an error that nobody expected, and the details to show below it."""
    details = "".join(traceback.format_exception(error))
    shown = details if os.environ.get("GRADE_DEBUG") else ""
    if reason := tell_shortage(error):
        return f"{reason}. Raise the limit or free what is used, then run the same command again.", shown
    if isinstance(error, OSError) and (error.errno in _OF_THE_DISK or _NO_FOLDER in str(error)):
        place = f"{error.filename}: " if error.filename else ""
        words = "no temporary folder can be written to" if _NO_FOLDER in str(error) else error.strerror
        return f"{place}{words}. Make room or choose another place (TMPDIR), then run the same command again.", shown
    sentence = f"an unexpected {type(error).__name__} stopped the grader; it is a fault of the grader, not of the work."
    if shown:
        return sentence, shown
    return f"{sentence} Details: {_keep(details)}; with GRADE_DEBUG=1 they are shown here.", ""


def _keep(details: str) -> str:
    try:
        handle, name = tempfile.mkstemp(prefix="grade-fault-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(printable_lines(details))
    except OSError:
        return "could not be kept on this disk"
    return name
