"""The hidden seed of a batch: drawn once, kept in its folder for the instructor alone, and read by every later run."""

import contextlib
import errno
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from grader.errors import UsageError
from grader.files import read_regular, replace_file, write_aside
from grader.shortage import is_about_a_place

NAME = "hidden_seed"
_BITS = 63  # nobody finds it by trying
_DIGITS = 4300  # Python reads no number with more, unless it is told to


def settle_seed(folder: Path, chosen: int | None) -> int:
    """Return the seed of this batch: the chosen one, or else the one that `folder` keeps, drawn the first time.

    Of two runs that draw at the same time, both use the first one. Raise `UsageError` where none can be kept.
    """
    if chosen is not None:
        return chosen
    path = folder / NAME
    with _told(folder):
        if not path.exists():
            _create(path, secrets.randbits(_BITS))
        return _read(path)


def keep_seed(folder: Path, chosen: int) -> None:
    """Make a chosen seed the one that later runs use. Raise `UsageError` where it cannot be kept."""
    path = folder / NAME
    with _told(folder):
        with contextlib.suppress(FileNotFoundError, UsageError):
            if _read(path) == chosen:
                return
        replace_file(path, _spell(chosen), private=True)


@contextlib.contextmanager
def _told(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if not is_about_a_place(error):
            raise
        message = f"{NAME} cannot be kept in {folder}: {error.strerror}. Choose another folder with --out DIR."
        raise UsageError(message) from error


def _read(path: Path) -> int:
    text = _read_text(path)
    try:
        return int(text) if text.isdecimal() else _refuse(path)
    except ValueError:  # this Python was told to read shorter numbers only
        return _refuse(path)


def _read_text(path: Path) -> str:
    try:
        return read_regular(path, _DIGITS + 2).decode("ascii", "replace").strip()
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
        return _refuse(path)  # too long, or no file at all


def _refuse(path: Path) -> NoReturn:
    message = (
        f"{path} holds no seed. Write the whole number into it, or remove it to draw another one; "
        "then everybody is graded again."
    )
    raise UsageError(message)


def _create(path: Path, seed: int) -> None:
    temporary = write_aside(path, _spell(seed), private=True)
    try:
        # The system makes a link only where there is no file yet. So of two runs at the same time the first one wins.
        os.link(temporary, path)
    except FileExistsError:
        pass
    except OSError:  # a file system without links
        if not path.exists():
            os.replace(temporary, path)  # noqa: PTH105 (a counterpart to `os.link`)
    finally:
        temporary.unlink(missing_ok=True)


def _spell(seed: int) -> bytes:
    return f"{seed}\n".encode()
