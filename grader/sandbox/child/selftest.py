"""In the child: tries, in a throw-away fork, what confinement should refuse. Runs before any student code is there."""

import json
import os
import socket
from collections.abc import Callable

REFUSED = "refused"
_NEITHER = 3


def _outcome(attempt: Callable[[], object]) -> str:
    try:
        attempt()
    except PermissionError:
        return REFUSED
    except OSError as error:
        return f"failed ({error.strerror})"
    return "allowed"


def _read(path: str) -> None:
    os.close(os.open(path, os.O_RDONLY))


def _write(path: str) -> None:
    os.close(os.open(path, os.O_WRONLY | os.O_APPEND))


def _empty(path: str) -> None:
    """Open it for neither reading nor writing, and have it emptied: Landlock before version 3 has no right for that."""
    os.close(os.open(path, _NEITHER | os.O_TRUNC))


def _fork() -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def _attempts(canary: str, parent: int) -> dict[str, Callable[[], object]]:
    return {
        "read": lambda: _read(canary),
        "write": lambda: _write(canary),
        "empty a file": lambda: _empty(canary),
        "start a process": _fork,
        "open a socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close(),
        "signal the parent": lambda: os.kill(parent, 0),
        "read the parent's memory": lambda: _read(f"/proc/{parent}/mem"),
    }


def run(confine: Callable[[], object]) -> dict[str, str]:
    """Return what came of each attempt in a fork that `confine` confined: "refused" is the right answer."""
    canary = f"{os.getcwd()}.canary"
    handle = os.open(canary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    os.fchmod(handle, 0o666)  # its mode must not be what protects it
    os.close(handle)
    reading, writing = os.pipe()
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        try:
            confine()
            told = {name: _outcome(attempt) for name, attempt in _attempts(canary, parent).items()}
            os.write(writing, json.dumps(told).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        said = file.read()
    os.waitpid(pid, 0)
    os.unlink(canary)
    return dict(json.loads(said)) if said else {"run": "failed"}
