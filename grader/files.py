"""Writing files so that nobody ever reads a part of one."""

import os
import tempfile
from pathlib import Path

from grader.errors import GraderError


def write_atomically(path: Path, content: bytes) -> None:
    """Replace the file at `path` by `content` in one step, through a temporary file in the same folder.

    Raises `GraderError` naming the file where it cannot be written.
    """
    temporary: Path | None = None
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}-", suffix=".tmp", dir=path.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(0o666 & ~_UMASK)
        temporary.replace(path)
    except OSError as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        reason = error.strerror or type(error).__name__
        message = f"{path.name} could not be written in {path.parent}: {reason}. Choose another place."
        raise GraderError(message) from error


def _umask() -> int:
    # The mask can only be read by setting it; once, at import, before any thread exists.
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


_UMASK = _umask()
