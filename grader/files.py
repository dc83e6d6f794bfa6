"""Write files so that nobody ever reads a part of one, and spell paths so that every process reads them alike."""

import errno
import os
import stat
import tempfile
from pathlib import Path

from grader.errors import GraderError

# No file of ours comes near: reports of 40 KiB are usual. One of many gigabytes, sparse, would take all memory.
MOST = 64 << 20


def read_regular(path: Path, most: int = MOST) -> bytes:
    """Return what a file holds. Raise `OSError` where it is no regular file, or larger than `most` bytes.

    A pipe in its place would let the reader wait for ever, and opening a device may do something to it.
    """
    if not stat.S_ISREG(path.stat().st_mode):  # before it is opened
        raise _refuse(path, "not a regular file")
    # The file may have been replaced since; opened like this, a pipe keeps nobody waiting either.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as stream:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise _refuse(path, "not a regular file")
        content = stream.read(most + 1)
    if len(content) > most:
        raise _refuse(path, f"larger than {most >> 10} KiB")
    return content


def _refuse(path: Path, reason: str) -> OSError:
    return OSError(errno.EINVAL, reason, str(path))


def write_atomically(path: Path, content: bytes) -> None:
    """Replace the file at `path` by `content` in one step. Raise `GraderError` naming the file where that fails."""
    try:
        replace_file(path, content)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        message = f"{path.name} could not be written in {path.parent}: {reason}. Choose another place."
        raise GraderError(message) from error


def replace_file(path: Path, content: bytes, *, private: bool = False) -> None:
    """Do what `write_atomically` does, and raise `OSError` where it fails. A private file is its owner's alone."""
    temporary = write_aside(path, content, private=private)
    try:
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def write_aside(path: Path, content: bytes, *, private: bool = False) -> Path:
    """Write `content` to a new temporary file beside `path`, down to the disk, and return where it is."""
    # Beside it, because a file is moved in one step only within one file system.
    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", suffix=".tmp", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            # Without this a machine that loses power may keep the new name and none of the content.
            os.fsync(stream.fileno())
        if not private:
            # mkstemp makes every file private; a report gets the mode that any other new file would have.
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


def quote_path(path: Path | str) -> str:
    """Return a path as a command that is shown has it: in quotes where it holds a blank."""
    # Double quotes mean the same to a POSIX shell and to PowerShell.
    return f'"{path}"' if " " in str(path) else str(path)


def pack_path(path: Path) -> str:
    """Return an absolute path as ASCII: the bytes of a name need not be text, and locales read them differently."""
    return os.fsencode(path.absolute()).hex()


def unpack_path(packed: str) -> Path:
    """Return the path that `pack_path` wrote."""
    return Path(os.fsdecode(bytes.fromhex(packed)))
