"""In the child: tries, in a throw-away fork, what confinement should refuse. Runs before any student code is there."""

import json
import os
import socket
import tempfile
from collections.abc import Callable

REFUSED = "refused"


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


def _fork() -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def _attempts(canary: str, parent: int) -> dict[str, Callable[[], object]]:
    return {
        "read": lambda: _read(canary),
        "write": lambda: _write(canary),
        "start a process": _fork,
        "open a socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close(),
        "signal the parent": lambda: os.kill(parent, 0),
        "read the parent's memory": lambda: _read(f"/proc/{parent}/mem"),
    }


def run(confine: Callable[[], object]) -> dict[str, str]:
    """Return what came of each attempt in a fork that `confine` confined: "refused" is the right answer."""
    handle, canary = tempfile.mkstemp(prefix="grade-canary-", dir=os.path.dirname(os.getcwd()))  # noqa: PTH109, PTH120
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
    os.unlink(canary)  # noqa: PTH108
    return dict(json.loads(said)) if said else {"run": "failed"}
