"""Opening a file that somebody handed in: nothing but a plain file, without waiting, and no more of it than agreed."""

import errno
import hashlib
import os
import stat
from io import BufferedReader
from pathlib import Path

# Opening a FIFO waits until somebody writes to it, and opening a terminal may make it the process's own. A path was
# looked at before, but what lies there may have been exchanged since.
_FLAGS = os.O_RDONLY
for _flag in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY"):
    _FLAGS |= getattr(os, _flag, 0)


def _open_plain_file(path: Path) -> BufferedReader:
    """Open a file for reading.

    Raises
    ------
    OSError
        It cannot be opened, or is no plain file (EINVAL).
    """
    handle = os.open(path, _FLAGS)
    stream = open(handle, "rb")  # noqa: PTH123, SIM115 (the handle is what was looked at; the caller closes it)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        stream.close()
        raise OSError(errno.EINVAL, "not a regular file")
    return stream


def read_plain_file(path: Path, most: int) -> bytes:
    """Return the bytes of a file.

    Parameters
    ----------
    path : Path
        The file; links are followed.
    most : int
        The bytes that it may have.

    Raises
    ------
    OSError
        It cannot be read, is no plain file (EINVAL), or is larger (EFBIG).
    """
    with _open_plain_file(path) as stream:
        # As much as there is, and a little more: a buffer for `most` would take longer to make than to fill.
        raw = stream.read(min(os.fstat(stream.fileno()).st_size, most) + 1)
        while len(raw) <= most and (more := stream.read(1 << 20)):
            raw += more
    if len(raw) > most:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    return raw


def hash_plain_file(path: Path) -> str:
    """Return the SHA-256 of a file's bytes; empty where it cannot be read."""
    try:
        with _open_plain_file(path) as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return ""
