"""What an engine starts, and how that ended. Records only, so that everything in this room may know them."""

import signal
import socket
from collections.abc import Callable
from typing import NamedTuple


class Ending(NamedTuple):
    """How a child ended: by itself (`status` as of `subprocess`), or killed by the grader (`None`)."""

    status: int | None = None
    peak: int = 0  # MiB of memory in use at most, where the system says

    def __str__(self) -> str:
        """Return it in words."""
        if self.status is None:
            return "it closed its connection to the grader"
        if self.status < 0:
            try:
                return f"signal {-self.status} ({signal.Signals(-self.status).name})"
            except ValueError:
                return f"signal {-self.status}"
        return f"exit code {self.status}"


class Child(NamedTuple):
    """What an engine started: its number, the grader's ends of its sockets, its folder, and how to end it.

    `gone` tells whether it has ended. `end(grace)` waits so many seconds for it to end by itself, then kills it and
    everything it started, and removes its folder.
    """

    pid: int
    messages: socket.socket
    output: socket.socket
    folder: str
    gone: Callable[[], bool]
    end: Callable[[float], Ending]

    def discard(self) -> None:
        """End it at once and close its sockets: nobody will talk to it."""
        try:
            self.end(0.0)
        finally:
            self.messages.close()
            self.output.close()
