"""Tries, in a throw-away fork, what the confinement should refuse. Runs before any student code is there.

So the report rests on what was refused, and not only on what a kernel said that it accepted.
"""

import ctypes
import errno
import fcntl
import json
import os
import signal
import socket
from array import array
from collections.abc import Callable

from ..shared import linux

REFUSED, ALLOWED = "refused", "allowed"
DISTURBED = {"run": "disturbed"}
TRIES = 3
_LAST = "kill itself"
_NEITHER = 3
_SET_SIGNAL = 10  # F_SETSIG, which Python does not name
_OPEN_TREE_ATTR = 467  # Linux 6.15; an older kernel does not know it, which is as good


def _outcome(attempt: Callable[[], object]) -> str:
    try:
        attempt()
    except PermissionError:
        return REFUSED
    except OSError as error:
        return f"failed ({error.strerror})"
    return ALLOWED


def _read(path: str) -> None:
    os.close(os.open(path, os.O_RDONLY))


def _write(path: str) -> None:
    os.close(os.open(path, os.O_WRONLY | os.O_APPEND))


def _empty(path: str) -> None:
    """Open a file for neither reading nor writing and empty it: Landlock before version 3 does not refuse that."""
    os.close(os.open(path, _NEITHER | os.O_TRUNC))


def _fork() -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def _library() -> int:
    """Open a file that every submission may read."""
    return os.open(os.__file__, os.O_RDONLY)


def _control(command: int, argument: int, path: str = os.__file__) -> None:
    fcntl.fcntl(os.open(path, os.O_RDONLY), command, argument)


def _make_call(number: int) -> None:
    if linux.syscall(number, -1, None, 0, None, 0) < 0 and ctypes.get_errno() == errno.ENOSYS:
        raise PermissionError


def _hand_page() -> None:
    reading, writing = os.pipe()
    os.splice(_library(), writing, 1)
    os.close(reading)


def _send_descriptor() -> None:
    one, other = socket.socketpair()
    with one, other:
        rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", [other.fileno()]))
        one.sendmsg([b"x"], [rights])


def _attempts(canary: str, parent: int) -> dict[str, Callable[[], object]]:
    return {
        "read": lambda: _read(canary),
        "write": lambda: _write(canary),
        "empty a file": lambda: _empty(canary),
        "start a process": _fork,
        "open a socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close(),
        "signal the parent": lambda: os.kill(parent, 0),
        "read the parent's memory": lambda: _read(f"/proc/{parent}/mem"),
        "lease a library": lambda: _control(fcntl.F_SETLEASE, fcntl.F_RDLCK),
        "watch a folder": lambda: _control(fcntl.F_NOTIFY, 0, os.path.dirname(os.__file__)),
        "lock a library": lambda: fcntl.lockf(_library(), fcntl.LOCK_SH | fcntl.LOCK_NB),
        "lock a whole file": lambda: fcntl.flock(_library(), fcntl.LOCK_SH | fcntl.LOCK_NB),
        "have the parent signalled": lambda: _control(fcntl.F_SETOWN, parent),
        "choose a signal": lambda: _control(_SET_SIGNAL, 9),
        "hand a page to a pipe": _hand_page,
        "send a descriptor": _send_descriptor,
        "make a call that came later": lambda: _make_call(_OPEN_TREE_ATTR),
    }


def run(confine: Callable[[], object]) -> dict[str, str]:
    """Return what came of each attempt in a fork that `confine` confined: "refused" is the right answer.

    Anything else is tried again. Somebody may have killed the fork, which looks as if it had killed itself, and the
    machine may have had no memory at that moment. Where a system cannot refuse, this costs two more forks of 3 ms.
    """
    told = DISTURBED
    for _ in range(TRIES):
        told = _run_once(confine)
        if set(told.values()) == {REFUSED}:
            break
    return told


def _run_once(confine: Callable[[], object]) -> dict[str, str]:
    canary = f"{os.getcwd()}.canary"  # the grader's half removes it, too: see `folders.canary`
    handle = os.open(canary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    os.fchmod(handle, 0o666)  # the file must be protected by the confinement, not by its mode
    os.close(handle)
    reading, writing = os.pipe()
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        try:
            confine()
            told = {name: _outcome(attempt) for name, attempt in _attempts(canary, parent).items()}
            os.write(writing, json.dumps(told).encode() + b"\n")
            last = _outcome(lambda: os.kill(os.getpid(), signal.SIGKILL))  # after all others: it may be the end
            os.write(writing, json.dumps({_LAST: last}).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        said = [json.loads(line) for line in file]
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.unlink(canary)
    if not said:
        return dict(DISTURBED)
    ended = {_LAST: ALLOWED if status == -signal.SIGKILL else "disturbed"}
    return ended | {name: result for each in said for name, result in each.items()}
