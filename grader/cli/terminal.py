"""The two streams: results on stdout, everything else on stderr."""

import errno
import os
import shutil
import sys
from collections.abc import Mapping
from typing import TextIO

import click

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
    """Return the columns to fill: 80 in a pipe, what the terminal has otherwise, within reason."""
    if not stream.isatty():
        return 80
    return min(max(shutil.get_terminal_size().columns, _NARROW), _WIDE)


def write_out(content: str | bytes, *, color: bool = False) -> None:
    """Write a result to stdout. A reader that has gone away (`| head -1`) is no error."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        click.echo(content, nl=False, color=color)
    except OSError as error:
        if not _reader_left(error):
            raise
        silence(sys.stdout)


def write_note(sentence: str) -> None:
    """Write one note to stderr."""
    try:
        click.echo(f"grade: {sentence}", err=True)
    except OSError as error:
        if not _reader_left(error):
            raise


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
