"""Ends a child and everything that it started.

Under full isolation a child can start nothing. Most of this module is for weak isolation, where it can.
"""

import contextlib
import os
import signal
import subprocess
import sys
import time

from grader.sandbox.children import ProcessEnd
from grader.sandbox.handles import state_fields
from grader.sandbox.limits import PAUSE, ROUNDS


def descendants(pid: int) -> list[int]:
    """Return all living descendants of a process, where the system has a cheap way to tell (Linux)."""
    if sys.platform != "linux":
        return []
    from grader.sandbox.shared import linux  # imports ctypes

    return linux.descendants(pid)


def kill_strays(folder: str) -> None:
    """Kill processes of this user that still carry `folder` in their environment (Linux).

    This finds processes whose parents ended before anybody could look for them. It misses one that cleared its
    environment. A look at all of `/proc` takes 8 ms, so it is left out where seccomp lets a child start no process.
    """
    mark = folder.encode()
    with contextlib.suppress(OSError):
        for name in os.listdir("/proc"):
            if name.isdigit() and int(name) != os.getpid():
                with contextlib.suppress(OSError), open(f"/proc/{name}/environ", "rb") as file:
                    if mark in file.read(1 << 16):  # several times what a child's environment takes
                        kill(int(name))


def kill(pid: int) -> None:
    """Kill one process, which may be gone already."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)


def has_ended(process: "subprocess.Popen[bytes]") -> bool:
    """Return whether a child process has ended, without reaping it: its number stays taken."""
    if not hasattr(os, "waitid"):
        return process.poll() is not None
    try:
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True


def end_group(process: "subprocess.Popen[bytes]", grace: float) -> ProcessEnd:
    """End a child that leads a process group of its own, and all its descendants; reap it and return how it ended.

    The child is stopped before its descendants are listed, so that it starts none meanwhile. On Linux it adopts
    orphans, so that a grandchild in a session of its own is found as well (`daemon_grandchild` among the attacks).
    """
    if sys.platform == "win32":
        return _end_windows(process, grace)
    pid, end = process.pid, time.monotonic() + grace
    while not (ended := has_ended(process)) and time.monotonic() < end:
        time.sleep(PAUSE)
    if not ended:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
        for _ in range(ROUNDS):
            living = [p for p in descendants(pid) if not _is_zombie(p)]
            if not living:
                break
            for each in living:
                kill(each)
            time.sleep(PAUSE)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    try:
        _, status, usage = os.wait4(pid, 0)
    except ChildProcessError:  # where there is no `waitid`, `has_ended` has reaped it
        return ProcessEnd(process.returncode)
    process.returncode = os.waitstatus_to_exitcode(status)
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10  # macOS tells bytes, others KiB
    computed = usage.ru_utime + usage.ru_stime
    return ProcessEnd(process.returncode if ended else None, usage.ru_maxrss // unit, computed)


def _is_zombie(pid: int) -> bool:
    return state_fields(pid)[:1] in ([], [b"Z"])


def _end_windows(process: "subprocess.Popen[bytes]", grace: float) -> ProcessEnd:
    """Close the job object of a child, which ends its descendants (see `shared.windows`). Not yet run there."""
    status: int | None = None
    with contextlib.suppress(subprocess.TimeoutExpired):
        status = process.wait(grace)
    getattr(process, "close_job", process.kill)()
    process.kill()
    process.wait()
    return ProcessEnd(status)
