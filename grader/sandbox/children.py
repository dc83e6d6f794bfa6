"""Records of the processes that an engine starts, and of how they ended. Every module of the sandbox may know them."""

import signal
import socket
from collections.abc import Callable
from typing import NamedTuple

from grader.errors import SandboxError


class UnreadyError(SandboxError):
    """A child was lost before it had seen any student code: another one may do."""


class ProcessEnd(NamedTuple):
    """The end of a process."""

    status: int | None = None  # as in `subprocess` where the grader did not end it; `None` where it did
    peak: int = 0  # MiB of memory in use at most, where the system tells
    computed: float = 0.0  # seconds of processor time, where the system tells
    known: bool = True  # False where the fork server that could tell was lost itself

    def __str__(self) -> str:
        """Return it in words."""
        if self.status is None:
            return "it closed its connection to the grader"
        if self.status < 0:
            try:
                return f"signal {-self.status} ({signal.Signals(-self.status).name})"
            except ValueError:  # a real-time signal has no name
                return f"signal {-self.status}"
        return f"exit code {self.status}"


class Child(NamedTuple):
    """A process that an engine started for student code, with the grader's ends of its two sockets."""

    pid: int
    messages: socket.socket
    output: socket.socket
    folder: str  # its current and temporary folder, the only one that it may write to
    gone: Callable[[], bool]  # tells whether the process has ended
    # Waits so many seconds for the process to end by itself, then kills it and everything that it started, and empties
    # or removes its folder.
    end: Callable[[float], ProcessEnd]

    def discard(self) -> None:
        """End the child at once and close its sockets: nobody will talk to it."""
        try:
            self.end(0.0)
        finally:
            self.messages.close()
            self.output.close()
