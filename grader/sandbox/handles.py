"""Holding on to a process that is the child of another one: a number alone may name a later process.

A descriptor of the process (`pidfd`) is safe. Some builds of Python lack it (conda's), some kernels and containers
refuse it (before Linux 5.3, gVisor); there the process's parent is asked, which keeps the number taken.
"""

import contextlib
import os
import select
import signal
from collections.abc import Callable
from typing import NamedTuple, Protocol


class Handle(Protocol):
    """One process, whatever becomes of its number."""

    def has_ended(self) -> bool:
        """Whether it has ended."""
        ...

    def kill(self) -> None:
        """Kill it; it may have ended already."""
        ...

    def close(self) -> None:
        """Let go of it; may be called again."""
        ...


class Descriptor:
    """Holds a process by a `pidfd`."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLIN)

    def has_ended(self) -> bool:
        """Whether it has ended."""
        return bool(self._poll.poll(0))

    def kill(self) -> None:
        """Kill it; it may have ended already."""
        if self._descriptor >= 0:
            with contextlib.suppress(OSError):
                signal.pidfd_send_signal(self._descriptor, signal.SIGKILL)

    def close(self) -> None:
        """Let go of it; may be called again."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)


class Number(NamedTuple):
    """Holds a process by its number and the time of its start, and asks its parent whether it has ended."""

    pid: int
    born: bytes
    ask: Callable[[], bool]

    def has_ended(self) -> bool:
        """Whether it has ended."""
        return self.ask()

    def kill(self) -> None:
        """Kill it, where the number still names it: its parent may be gone, and the number free."""
        if self.born and _birth(self.pid) == self.born:
            with contextlib.suppress(OSError):
                os.kill(self.pid, signal.SIGKILL)

    def close(self) -> None:
        """Let go of it; may be called again."""


def hold(pid: int, ask: Callable[[], bool]) -> Handle:
    """Hold on to a living process.

    Parameters
    ----------
    pid : int
        Its number. Its parent does not reap it meanwhile.
    ask : callable
        Asks its parent whether it has ended; used where the system offers nothing better.
    """
    if hasattr(os, "pidfd_open") and hasattr(signal, "pidfd_send_signal"):
        with contextlib.suppress(OSError):
            return Descriptor(os.pidfd_open(pid))
    return Number(pid, _birth(pid), ask)


def _birth(pid: int) -> bytes:
    """Return when a process was started, in the kernel's words; empty where that is not told."""
    return next(iter(state_fields(pid)[19:20]), b"")


def state_fields(pid: int) -> list[bytes]:
    """Return what the kernel tells of a process, from its state letter on; empty where it tells nothing."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()
    except OSError:
        return []
