"""Both ends of starting a child on Windows. Not yet run there.

Sockets cannot be inherited, so they are handed over through the child's stdin. A job object around the child ends all
processes in it when its handle is closed, allows one process only, and bounds its memory. Output of Python goes through
a socket; output of native code is lost.
"""

import io
import socket
import struct
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

MEMORY = 2 << 30  # bytes of the whole child: when it starts, the limit of its session is not known yet
_LENGTH = struct.Struct("<I")
_KILL_ON_CLOSE, _ONE_PROCESS, _PROCESS_MEMORY = 0x2000, 0x8, 0x100
_EXTENDED_LIMITS = 9
_ASK_LITTLE = 0x1000  # the right to ask a process of any user for what anybody may know
_UNIT = 1e-7  # seconds: times are told in hundreds of nanoseconds


class JobProcess(subprocess.Popen[bytes]):
    """A process in a job object of its own."""

    job: int | None = None

    def close_job(self) -> None:
        """End the process and all that it started."""
        if self.job is not None:
            import ctypes

            getattr(ctypes, "windll").kernel32.CloseHandle(self.job)  # noqa: B009 (unknown to type checkers elsewhere)
            self.job = None


def popen(
    command: Sequence[str],
    folder: str,
    environment: Mapping[str, str],
    theirs: socket.socket,
    printing: socket.socket,
) -> JobProcess:
    """Start a child in a job and hand its ends of the sockets over."""
    flags = getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    process = JobProcess(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env=dict(environment),
        creationflags=flags,
    )
    process.job = _job(process)
    assert process.stdin is not None  # noqa: S101 (it was asked for)
    with process.stdin as stdin:
        for each in (theirs, printing):
            shared = getattr(each, "share")(process.pid)  # noqa: B009 (unknown to type checkers elsewhere)
            stdin.write(_LENGTH.pack(len(shared)) + shared)
    return process


def _job(process: JobProcess) -> int | None:
    """Put a process into a new job; return the job's handle, `None` where that failed."""
    import ctypes
    from ctypes import wintypes

    class JobLimits(ctypes.Structure):  # JOBOBJECT_EXTENDED_LIMIT_INFORMATION
        _fields_ = (
            ("times", ctypes.c_int64 * 2),
            ("flags", wintypes.DWORD),
            ("working_set", ctypes.c_size_t * 2),
            ("active_processes", wintypes.DWORD),
            ("affinity", ctypes.c_size_t),
            ("classes", wintypes.DWORD * 2),
            ("counters", ctypes.c_uint64 * 6),
            ("process_memory", ctypes.c_size_t),
            ("other_memory", ctypes.c_size_t * 3),
        )

    kernel: Any = getattr(ctypes, "windll").kernel32  # noqa: B009 (unknown to type checkers elsewhere)
    kernel.CreateJobObjectW.restype = wintypes.HANDLE
    job = kernel.CreateJobObjectW(None, None)
    limits = JobLimits(flags=_KILL_ON_CLOSE | _ONE_PROCESS | _PROCESS_MEMORY, active_processes=1, process_memory=MEMORY)
    handle = wintypes.HANDLE(int(getattr(process, "_handle", 0)))
    if not job or not kernel.SetInformationJobObject(
        wintypes.HANDLE(job), _EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits)
    ):
        return None
    return job if kernel.AssignProcessToJobObject(wintypes.HANDLE(job), handle) else None


def processor_time(pid: int) -> float | None:
    """Return the seconds of processor time that a process has used; `None` where it is gone."""
    import ctypes
    from ctypes import wintypes

    kernel: Any = getattr(ctypes, "windll").kernel32  # noqa: B009 (unknown to type checkers elsewhere)
    kernel.OpenProcess.restype = wintypes.HANDLE
    handle = wintypes.HANDLE(kernel.OpenProcess(_ASK_LITTLE, 0, pid))
    if not handle.value:
        return None
    try:
        made, ended, system, user = (ctypes.c_uint64() for _ in range(4))
        told = kernel.GetProcessTimes(handle, *map(ctypes.byref, (made, ended, system, user)))
        return (system.value + user.value) * _UNIT if told else None
    finally:
        kernel.CloseHandle(handle)


def inherit() -> socket.socket:
    """Take this process's sockets from its stdin, print to one of them, return the other."""
    connection, printing = (_receive() for _ in range(2))
    sys.stdin = open("nul", encoding="utf-8")  # noqa: SIM115 (stays open as long as the process)
    sys.stdout = io.TextIOWrapper(printing.makefile("wb"), encoding="utf-8", errors="replace")
    sys.stderr = sys.stdout
    return connection


def _receive() -> socket.socket:
    stdin = sys.stdin.buffer
    (length,) = _LENGTH.unpack(stdin.read(_LENGTH.size))
    made: socket.socket = getattr(socket, "fromshare")(stdin.read(length))  # noqa: B009 (unknown to type checkers elsewhere)
    return made
