"""What a child does beside talking, looked at now and then: its folder, the disk below it, its threads.

Names in the folder do not tell all: a file that was removed keeps its space as long as a descriptor or a mapping holds
it, and a process may hold 65,530 mappings. So the free space of the file system is looked at, too. That is everybody's,
however: where less is left, it is only a suspicion, and whether the child was the cause shows when it has ended and the
space is back.
"""

import os
from typing import NamedTuple

from grader.sandbox import folders
from grader.sandbox.handles import state_fields
from grader.sandbox.limits import DISK, MAX_ENTRIES, MAX_THREADS

_THREADS = 17  # its place among the fields of /proc/PID/stat, counted from the state letter
_MIB = 1 << 20


class Trouble(NamedTuple):
    """What a child has done too much of, in words. Not `certain`: somebody else may have done it."""

    what: str
    certain: bool = True


class Watch:
    """Looks at one child.

    Parameters
    ----------
    pid : int
        Its number.
    folder : str
        The only place that it may write to; empty when the child starts.
    """

    def __init__(self, pid: int, folder: str) -> None:
        self._pid, self._folder = pid, folder
        self._disk = os.path.dirname(folder)  # the folder itself may be gone when the child has ended
        self._free_before = free_space(self._disk)
        self._free_least = self._free_before
        self.trouble: Trouble | None = None

    def look(self) -> Trouble | None:
        """Return what the child has done too much of; None where there is nothing."""
        self.trouble = self._look()
        return self.trouble

    def _look(self) -> Trouble | None:
        threads = count_threads(self._pid)
        if threads > MAX_THREADS:
            return Trouble(f"started {threads} threads, more than {MAX_THREADS}")
        used = folders.measure(self._folder)
        if used.entries > MAX_ENTRIES:
            return Trouble(f"made more than {MAX_ENTRIES} files and folders")
        if used.size > DISK * _MIB:
            return Trouble(f"wrote more than {DISK} MiB to disk")
        free = free_space(self._disk)
        self._free_least = min(self._free_least, free)
        if self._free_before - free > DISK * _MIB:
            return Trouble(f"wrote more than {DISK} MiB to disk, in files without a name", certain=False)
        return None

    def was_it(self) -> bool:
        """Whether the trouble was the child's doing. To be asked when it has ended and its folder is empty again."""
        if self.trouble is None or self.trouble.certain:
            return self.trouble is not None
        # Half of the limit: others write meanwhile, too.
        return free_space(self._disk) - self._free_least > DISK * _MIB // 2


def free_space(folder: str) -> int:
    """Return the bytes that the file system of a folder has left; 0 where the system does not say."""
    if not hasattr(os, "statvfs"):  # Windows
        return 0
    try:
        status = os.statvfs(folder)
    except OSError:
        return 0
    return status.f_bfree * status.f_frsize


def count_threads(pid: int) -> int:
    """Return how many threads a process has; 0 where the system does not say."""
    fields = state_fields(pid)
    return int(fields[_THREADS]) if len(fields) > _THREADS else 0
