"""The two streams: results on stdout, everything else on stderr."""

import errno
import io
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TextIO

import click

from grader.errors import GraderError
from grader.inert import printable, printable_lines

_NARROW, _WIDE = 60, 100
_SYMBOLS = "✓✗–…·"


def wants_color(choice: str, stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether to colour: `--color` first, then NO_COLOR, FORCE_COLOR, then whether a terminal listens."""
    match choice:
        case "always":
            return True
        case "never":
            return False
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return stream.isatty() and environment.get("TERM") != "dumb"


def speaks_unicode(stream: TextIO) -> bool:
    """Return whether the symbols beside the words can be written to `stream`."""
    try:
        _SYMBOLS.encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def text_width(stream: TextIO) -> int:
    """Return the columns to fill: 80 in a pipe, otherwise those of the terminal, within reason."""
    if not stream.isatty():
        return 80
    return min(max(shutil.get_terminal_size().columns, _NARROW), _WIDE)


def open_streams() -> None:
    """Give a process that was started without streams (by a daemon) streams that lead nowhere."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 (open until the process ends)


def write_out(content: str | bytes, *, color: bool = False) -> None:
    """Write a result to stdout: bytes as they are, text in the encoding that stdout has.

    A reader that has gone away (`| head -1`) is no error.
    """
    try:
        if isinstance(content, bytes):
            sys.stdout.buffer.write(content)
        elif color and sys.platform == "win32":
            # Old consoles need click's translation of colours; click would also force UTF-8 on an ASCII stdout.
            click.echo(content, nl=False, color=True)
        else:
            _spare_what_cannot_be_written(sys.stdout)
            sys.stdout.write(content)
        sys.stdout.flush()
    except OSError as error:
        silence(sys.stdout)
        if not _reader_left(error):
            message = f"the result could not be written to stdout: {error.strerror}. Files of this run are complete."
            raise GraderError(message) from error


def write_note(sentence: str, details: str = "") -> None:
    """Write one note to stderr, and below it what a person asked to see of a fault."""
    try:
        # A path, or what somebody's code said, may hold the sequence that clears a screen.
        sys.stderr.write(f"grade: {printable(sentence)}\n{printable_lines(details)}")
        sys.stderr.flush()
    except OSError:
        silence(sys.stderr)  # there is nobody to tell


def _spare_what_cannot_be_written(stream: TextIO) -> None:
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")


def silence(stream: TextIO) -> None:
    """Flush `stream`; where its reader has left, send the rest nowhere, so that ending does not complain."""
    try:
        stream.flush()
    except (OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def _reader_left(error: OSError) -> bool:
    # Windows reports a closed pipe as an invalid argument.
    return error.errno in (errno.EPIPE, errno.EINVAL)
