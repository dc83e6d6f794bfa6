"""Gives up root, where the grader runs as root, as in many containers.

Root passes over the modes of files and may raise its own limits; in a container it may own the course.
"""

import os
import sys
from typing import Literal

from ..shared import linux

NOBODY = 65534
TRIES = 3
Step = Literal["unprivileged", "nobody", "no capabilities", "root"]


def choose(folder: str) -> Step:
    """Return the strongest step after which imports and the temporary folder still work. Each is tried in a fork.

    An interpreter below `/root` cannot be read by nobody. There root gives up its capabilities and stays the owner.
    """
    if os.geteuid() != 0:
        return "unprivileged"
    steps: tuple[Step, ...] = ("nobody", "no capabilities")
    return next((step for step in steps if _survives(step, folder)), "root")


def take(step: Step) -> bool:
    """Take the step, from which there is no way back; return whether that worked."""
    if step == "nobody":
        try:
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
        except OSError:
            return False
        return True
    return step != "no capabilities" or linux.drop_capabilities()


def give(step: Step, path: str) -> None:
    """Make the user that a child becomes the owner of a folder."""
    if step == "nobody":
        os.chown(path, NOBODY, NOBODY)


def _survives(step: Step, folder: str) -> bool:
    """Return whether a fork that took the step can still import and reach its folder.

    A fork that somebody killed says nothing, and another one tries again: else one signal would weaken all children.
    """
    return next((status == 0 for status in (_try(step, folder) for _ in range(TRIES)) if status >= 0), False)


def _try(step: Step, folder: str) -> int:
    """Return the exit status of a fork that took the step; it is 0 where all is well, and negative for a signal."""
    pid = os.fork()
    if pid:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    status = 1
    try:
        if take(step) and _readable() and os.access(os.path.dirname(folder), os.X_OK):
            status = 0
    finally:
        os._exit(status)


def _readable() -> bool:
    """Return whether every folder of the import path, and one module in each, can be read."""
    for path in sys.path:
        try:
            entries = os.listdir(path)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except PermissionError:
            return False
        modules = [name for name in entries if name.endswith((".py", ".so"))][:1]
        if not all(os.access(f"{path}/{name}", os.R_OK) for name in modules):
            return False
    return True
