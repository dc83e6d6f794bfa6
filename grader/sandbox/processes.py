"""Ending a child and everything it started."""

import contextlib
import os
import signal
import subprocess
import sys
import time

from grader.sandbox.children import Ending
from grader.sandbox.handles import state_fields
from grader.sandbox.limits import PAUSE, ROUNDS


def descendants(pid: int) -> list[int]:
    """Return all living descendants of a process, where the system has a cheap way to know (Linux)."""
    if sys.platform != "linux":
        return []
    from grader.sandbox.shared import linux  # imports ctypes

    return linux.descendants(pid)


def kill_strays(folder: str) -> None:
    """Kill processes of this user that still carry `folder` in their environment (Linux).

    Only where a child could start processes at all; one that also clears its environment is not found.
    """
    mark = folder.encode()
    with contextlib.suppress(OSError):
        for name in os.listdir("/proc"):
            if name.isdigit() and int(name) != os.getpid():
                with contextlib.suppress(OSError), open(f"/proc/{name}/environ", "rb") as file:
                    if mark in file.read(1 << 16):
                        kill(int(name))


def kill(pid: int) -> None:
    """Kill one process; it may be gone already."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)


def has_ended(process: "subprocess.Popen[bytes]") -> bool:
    """Whether a child process has ended, without reaping it: its number stays taken."""
    if not hasattr(os, "waitid"):
        return process.poll() is not None
    try:
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True


def end_group(process: "subprocess.Popen[bytes]", grace: float) -> Ending:
    """End a child that leads its own process group, and all its descendants; reap it.

    It is stopped before its descendants are listed, so that none is missed. It is told to adopt orphans
    (Linux), so grandchildren that left the group are found as well.
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
    except ChildProcessError:  # `has_ended` has reaped it
        return Ending(process.returncode)
    process.returncode = os.waitstatus_to_exitcode(status)
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return Ending(process.returncode if ended else None, usage.ru_maxrss // unit)


def _is_zombie(pid: int) -> bool:
    return state_fields(pid)[:1] in ([], [b"Z"])


def _end_windows(process: "subprocess.Popen[bytes]", grace: float) -> Ending:
    """Not yet run on Windows. Closing the job object (see `windows`) ends the descendants."""
    status: int | None = None
    with contextlib.suppress(subprocess.TimeoutExpired):
        status = process.wait(grace)
    getattr(process, "close_job", process.kill)()
    process.kill()
    process.wait()
    return Ending(status)
