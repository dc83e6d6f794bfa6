"""The temporary folder of a batch: removed when the batch ends, or else by the next one."""

import contextlib
import glob
import os
import sys
import tempfile
import time
from collections.abc import Iterator

from grader.sandbox import folders

PREFIX = "grade-batch-"
YOUNG = 60.0  # seconds in which a folder that is being made may not be locked yet
_TRIES, _PAUSE = 40, 0.05  # two seconds, in which the processes of a killed worker end


@contextlib.contextmanager
def open_scratch() -> Iterator[str]:
    """Make a folder that only this user may enter, and remove it with everything in it.

    A lock marks it as in use. The system takes the lock back when the batch ends, however it ends. A process number
    could not tell as much: in another container it means nothing.
    """
    sweep()
    top = os.path.realpath(tempfile.mkdtemp(prefix=PREFIX))
    lock = _lock(top)
    try:
        yield top
    finally:
        _remove(top)
        if lock is not None:
            os.close(lock)


def sweep() -> None:
    """Remove the folders of this user's batches that were killed, where a lock can tell which those are."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError), os.scandir(tempfile.gettempdir()) as listing:
        for entry in listing:
            if entry.name.startswith(PREFIX) and entry.is_dir(follow_symlinks=False):
                _sweep(entry)


def _sweep(entry: "os.DirEntry[str]") -> None:
    with contextlib.suppress(OSError):
        status = entry.stat(follow_symlinks=False)
        if status.st_uid != os.geteuid() or time.time() - status.st_mtime < YOUNG:
            return
        if (lock := _lock(entry.path)) is not None:
            folders.wipe(entry.path)
            os.close(lock)


def _lock(folder: str) -> int | None:
    """Return an open lock on a folder; None where another process has it, or the system has no such locks."""
    if sys.platform == "win32":
        return None
    import fcntl

    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle


def _remove(top: str) -> None:
    # The processes of a killed worker end a moment after it. Until then they may write, also into folders that `wipe`
    # has moved aside, which have the same beginning.
    for _ in range(_TRIES):
        rest = glob.glob(f"{glob.escape(top)}*")  # noqa: PTH207 (plain strings, as `folders.wipe` takes them)
        if not rest:
            return
        for folder in rest:
            folders.wipe(folder)
        if os.path.lexists(top):
            time.sleep(_PAUSE)
