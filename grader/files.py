"""Writing files so that nobody ever reads a part of one."""

import os
import tempfile
from pathlib import Path

from grader.errors import GraderError


def write_atomically(path: Path, content: bytes) -> None:
    """Replace the file at `path` by `content` in one step. Raises `GraderError` naming the file where that fails."""
    try:
        replace_file(path, content)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        message = f"{path.name} could not be written in {path.parent}: {reason}. Choose another place."
        raise GraderError(message) from error


def replace_file(path: Path, content: bytes, *, private: bool = False) -> None:
    """As `write_atomically`, with an `OSError` where it fails. A private file is its owner's alone."""
    temporary = write_aside(path, content, private=private)
    try:
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def write_aside(path: Path, content: bytes, *, private: bool = False) -> Path:
    """Write `content` to a new temporary file beside `path`, down to the disk, and return where it is."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", suffix=".tmp", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        if not private:
            temporary.chmod(0o666 & ~_UMASK)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def _umask() -> int:
    # The mask can only be read by setting it; once, at import, before any thread exists.
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


_UMASK = _umask()
