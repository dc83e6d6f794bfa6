"""The zygote's process: imports NumPy once, then forks a child for each submission. It holds no answers.

It speaks JSON with the engine over one socket and serves one child at a time. It reaps a child only when told to, so
that the number of a process is never used twice while it matters.

What one server for many children buys, beside the import (measured on 2026-11-30, 150 interleaved rounds on two virtual
processors): the rules of Landlock and seccomp are made once. Made in each child, they take 10 ms of processor time: 1.8
times as much for a submission with one call, 1.3 times for all public calls.
"""

import contextlib
import gc
import json
import os
import posix
import select
import signal
import socket
import time
from collections.abc import Sequence
from importlib import import_module
from itertools import pairwise
from typing import Any, NamedTuple

from ..shared import linux
from . import confinement, worker

# The modules that most students import, so that no child has to: a file that imports `numpy.linalg` and `numpy.random`
# itself waits 20 to 30 ms. Each further module makes every fork slower, because its memory is mapped anew and partly
# copied; so a submission that imports numpy.ma or statistics waits for that alone.
PRELOADED = (
    *("numpy.random", "numpy.linalg", "math", "itertools", "functools", "collections", "operator"),
    *("typing", "dataclasses", "time", "copy", "random", "warnings"),
)
# New objects between two collections of garbage in a child, which lives for milliseconds. A collection touches, and so
# copies, memory that all children share. Together with `gc.freeze` this is 9 % of a submission that makes 20,000 lists,
# 60 % of one that makes 100,000, and nothing of one that makes few.
_RARELY = (100_000, 20, 100)
_KILL_ROUNDS = 500  # with a pause each; a chain of 2,000 processes that start one another was gone after 48 ms
_DYING, _PAUSE = 0.05, 0.001  # seconds: for one child to die, and between two rounds


class Nest(NamedTuple):
    """The things that all children have in common."""

    folder: str  # emptied after each child
    prepared: confinement.Prepared | None
    parent: int  # the number of this process
    connection: socket.socket  # unconnected; each child puts its own connection under this descriptor
    line: worker.Line  # over that connection
    kept: tuple[int, ...]  # descriptors that a child does not close, ascending
    above: int  # the highest descriptor that this process has


def start(settings: dict[str, Any]) -> None:
    """Get ready, say so, then serve until the engine closes the connection."""
    gc.disable()  # nothing that is made here is ever thrown away
    linux.die_with_parent(settings["parent"])
    linux.adopt_orphans()
    _preload(PRELOADED)
    # Libraries register work for each new child, which would copy 150 pages of memory. It serves programs with threads,
    # which this is not, and random numbers, which every child begins anew.
    os.register_at_fork = posix.register_at_fork
    prepared = confinement.prepare(settings["folder"], settings["hidden"], confine=settings["confine"])
    linux.hide_memory()
    tests = confinement.test(prepared)
    worker.get_ready()
    nest = _build(settings["folder"], prepared)
    control = socket.socket(fileno=settings["control"])
    try:
        control.send(json.dumps({"selftest": tests}).encode())
        while True:
            message, descriptors, _, _ = socket.recv_fds(control, 1 << 16, 2)
            if not message:
                break
            asked = json.loads(message)
            match asked["do"]:
                case "start":
                    said = {"pid": _fork(nest, asked["setup"], descriptors)}
                case "look":
                    said = {"ended": _has_ended(asked["pid"])}
                case _:
                    said = _end(asked["pid"], asked["grace"], alone=bool(prepared and prepared.filter))
            control.send(json.dumps(said).encode())
    except ConnectionError:
        pass  # the engine was closed
    os._exit(0)


def _preload(names: Sequence[str]) -> None:
    for name in names:
        with contextlib.suppress(ImportError):
            import_module(name)
    gc.freeze()
    gc.set_threshold(*_RARELY)
    gc.enable()


def _build(folder: str, prepared: confinement.Prepared | None) -> Nest:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    ruleset = [prepared.ruleset.descriptor] if prepared and prepared.ruleset else []
    line = worker.Line(connection.recv, connection.sendall)
    kept = tuple(sorted([2, connection.fileno(), *ruleset]))
    above = max(int(name) for name in os.listdir("/proc/self/fd"))
    return Nest(folder, prepared, os.getpid(), connection, line, kept, above)


def _fork(nest: Nest, setup: dict[str, Any], descriptors: list[int]) -> int:
    pid = os.fork()
    if pid == 0:
        try:
            _become_child(nest, setup, *descriptors)
        finally:  # whatever goes wrong, a child never goes on as a second fork server
            os._exit(71)
    for descriptor in descriptors:
        os.close(descriptor)
    return pid


def _become_child(nest: Nest, setup: dict[str, Any], connection: int, printing: int) -> None:
    """Keep the three standard streams, the connection and the rules; close everything else; then serve.

    Nothing that is open is shared with another child: through a shared one, a child could set flags and locks that the
    next child would meet (`locks_and_flags_of_its_streams` among the attacks). So each opens an empty input of its own.
    """
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.dup2(printing, 1)
    os.dup2(printing, 2)
    os.dup2(connection, nest.connection.fileno())
    for low, high in pairwise([*nest.kept, max(nest.above, empty, connection, printing) + 1]):
        os.closerange(low + 1, high)
    os.setpgid(0, 0)
    os.chdir(nest.folder)
    worker.serve(nest.line, "zygote", setup, lambda: confinement.enforce(nest.prepared, setup, nest.parent))


def _end(pid: int, grace: float, *, alone: bool) -> dict[str, Any]:
    """Wait so long for a child to end, then kill it and every process below this one; reap them all, tell how it ended.

    Parameters
    ----------
    pid : int
        The child.
    grace : float
        Seconds that it has to end by itself.
    alone : bool
        Whether seccomp let it start no process, so that none is looked for unless one turns up.
    """
    ended = _has_ended(pid) or (grace > 0 and _wait(pid, grace))
    _kill([pid] if alone else [pid, *linux.descendants(os.getpid())])
    _wait(pid, _DYING)
    said: dict[str, Any] = {"status": None, "peak": 0, "computed": 0.0}
    own = [pid]  # killed until it is reaped, also where the kernel does not list children
    for _ in range(_KILL_ROUNDS):
        try:
            while (reaped := os.wait4(-1, os.WNOHANG))[0]:
                if reaped[0] == pid:
                    own.clear()
                    said["status"] = os.waitstatus_to_exitcode(reaped[1]) if ended else None
                    said["peak"] = reaped[2].ru_maxrss >> 10
                    said["computed"] = reaped[2].ru_utime + reaped[2].ru_stime
        except ChildProcessError:  # nothing is left: orphans became children of this process, and are reaped, too
            return said
        _kill([*own, *linux.descendants(os.getpid())])
        time.sleep(_PAUSE)
    return said


def _kill(processes: list[int]) -> None:
    for process in processes:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process, signal.SIGKILL)


def _wait(pid: int, seconds: float) -> bool:
    """Wait until a child has ended, at most so long; return whether it has."""
    if hasattr(os, "pidfd_open"):  # some builds of Python lack it
        with contextlib.suppress(OSError):
            handle = os.pidfd_open(pid)
            poll = select.poll()
            poll.register(handle, select.POLLIN)
            poll.poll(seconds * 1000)
            os.close(handle)
            return _has_ended(pid)
    until = time.monotonic() + seconds
    while not (ended := _has_ended(pid)) and time.monotonic() < until:
        time.sleep(_PAUSE)
    return ended


def _has_ended(pid: int) -> bool:
    """Return whether a child has ended, without reaping it: its number stays taken."""
    try:
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True
