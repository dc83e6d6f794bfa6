"""The zygote's process: imports NumPy once, then forks a child for each submission. It holds no answers.

It speaks JSON with the engine over one socket, serves one child at a time, and reaps it only when told to, so
that a process number is never used twice while it matters.
"""

import contextlib
import gc
import json
import os
import select
import signal
import socket
import tempfile
import time
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from . import confinement, linux, rehearsal, worker

# What most students import, so that no child has to. Each further module makes every fork dearer: its memory is mapped
# anew and partly copied. Who imports numpy.ma or statistics pays for that alone.
PRELOADED = (
    *("resource", "numpy.random", "numpy.linalg", "math", "itertools", "functools", "collections", "operator"),
    *("typing", "dataclasses", "time", "copy", "random", "warnings"),
)
REHEARSED = 2  # before this fork children are made faster: a class gains by it, one person's own run would wait for it
_RARELY = (100_000, 20, 100)  # new objects between two collections in a child, most of which live for milliseconds
_KILL_ROUNDS = 500
_PAUSE = 0.001


def start(settings: dict[str, Any]) -> None:
    """Get ready, say so, then serve until the engine closes the connection."""
    gc.disable()  # nothing that is made here is ever thrown away
    linux.die_with_parent(settings["parent"])
    linux.adopt_orphans()
    _preload(PRELOADED)
    plan = confinement.prepare(settings["folder"], settings["hidden"], confine=settings["confine"])
    linux.hide_memory()
    tests = confinement.test(plan)
    worker.find_ourselves()
    forked = 0
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
                    forked += 1
                    if forked == REHEARSED:
                        with contextlib.suppress(Exception):  # children are no worse without it
                            rehearsal.rehearse()
                        gc.collect()
                        gc.freeze()
                    said = {"pid": _fork(asked["folder"], descriptors, plan)}
                case "look":
                    said = {"ended": _has_ended(asked["pid"])}
                case _:
                    said = _end(asked["pid"], asked["grace"])
            control.send(json.dumps(said).encode())
    except ConnectionError:
        pass  # the engine was closed
    os._exit(0)


def _preload(names: Sequence[str]) -> None:
    for name in names:
        with contextlib.suppress(ImportError):
            import_module(name)
    gc.freeze()  # no collection in a child touches, and so copies, what all share


def _fork(folder: str, descriptors: list[int], plan: confinement.Plan | None) -> int:
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        gc.set_threshold(*_RARELY)
        gc.enable()
        try:
            _become_child(folder, descriptors, plan, parent)
        finally:
            os._exit(71)
    for descriptor in descriptors:
        os.close(descriptor)
    return pid


def _become_child(folder: str, descriptors: list[int], plan: confinement.Plan | None, parent: int) -> None:
    """Keep the three standard streams, the connection and the rules; then serve."""
    connection, printing = descriptors
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(printing, 1)
    os.dup2(printing, 2)
    kept = {0, 1, 2, connection, *([plan.ruleset.descriptor] if plan and plan.ruleset else [])}
    for descriptor in [int(name) for name in os.listdir("/proc/self/fd")]:  # noqa: PTH208
        if descriptor not in kept:
            with contextlib.suppress(OSError):
                os.close(descriptor)
    os.setsid()
    os.chdir(folder)
    for name in ("HOME", "TMPDIR", "TEMP", "TMP", "MPLCONFIGDIR"):
        os.environ[name] = folder
    tempfile.tempdir = folder
    confinement.give(plan, folder)
    line = socket.socket(fileno=connection)
    worker.serve(worker.Line(line.recv, line.sendall), "zygote", lambda setup: confinement.enforce(plan, setup, parent))


def _end(pid: int, grace: float) -> dict[str, Any]:
    """Wait so long for the child to end, then kill it and every process below this one, and reap them all."""
    until = time.monotonic() + grace
    while not (ended := _has_ended(pid)) and time.monotonic() < until:
        time.sleep(_PAUSE)
    said: dict[str, Any] = {"status": None, "peak": 0}
    own = [pid]  # until it is reaped, also where the kernel does not list children
    for _ in range(_KILL_ROUNDS):
        for process in {*own, *linux.descendants(os.getpid())}:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        try:
            while (reaped := os.wait4(-1, os.WNOHANG))[0]:
                if reaped[0] == pid:
                    own.clear()
                    said["status"] = os.waitstatus_to_exitcode(reaped[1]) if ended else None
                    said["peak"] = reaped[2].ru_maxrss >> 10
        except ChildProcessError:
            return said
        _pause(pid if own else None)
    return said


def _pause(pid: int | None) -> None:
    """Wait a moment, and no longer than until this child has ended."""
    if pid is not None and hasattr(os, "pidfd_open"):  # some builds of Python lack it
        with contextlib.suppress(OSError):
            handle = os.pidfd_open(pid)
            poll = select.poll()
            poll.register(handle, select.POLLIN)
            poll.poll(_PAUSE * 1000)
            os.close(handle)
            return
    time.sleep(_PAUSE)


def _has_ended(pid: int) -> bool:
    try:
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True
