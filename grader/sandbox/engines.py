"""What every engine offers. One file an engine; the registry is in the folder's `__init__`.

Nothing here imports NumPy: an engine is started before the grader itself has imported much.
"""

import signal
import socket
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

from grader.sandbox import isolation
from grader.sandbox.calls import Limits, Program

if TYPE_CHECKING:
    from grader.sandbox.session import Session


@dataclass(frozen=True)
class Ending:
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


@dataclass(frozen=True)
class Child:
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


class Engine(Protocol):
    """Starts children that run student code, one at a time.

    Making one returns at once; what it starts gets ready meanwhile. An engine serves one thread: the one that made it,
    and on Linux its children end when that thread does.
    """

    name: str

    def isolation(self) -> Mapping[str, Any]:
        """Return what is in force, from a child's own return values and its self-test."""
        ...

    def session(self, program: Program, limits: Limits) -> "Session":
        """Start a fresh child for one submission."""
        ...

    def close(self) -> None:
        """End every process that the engine started."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def _hide_memory() -> None:
    """Let no other process of this user read the grader's memory or environment: the answers are there (Linux)."""
    if sys.platform == "linux":
        from grader.sandbox import linux  # imports ctypes

        linux.hide_memory()


class ChildEngine(ABC):
    """What the engines share: one session at a time, and what is known of the isolation.

    Parameters
    ----------
    demand : {"full", "weak", None}
        With "full", a session whose isolation turns out weaker is refused with `SandboxError`.
    confine : bool
        False leaves Landlock and seccomp out, as on a system that has neither.
    """

    name: ClassVar[str]

    def __init__(self, *, demand: str | None = None, confine: bool = True) -> None:
        self.demand, self.confine = demand, confine
        self.report: Mapping[str, Any] | None = None
        self.current: Session | None = None

    @abstractmethod
    def fresh(self) -> Child:
        """Return a child that waits for its setup."""

    @abstractmethod
    def tests(self, hello: Mapping[str, Any]) -> Mapping[str, str]:
        """Return what came of the self-test, given the first child's hello."""

    @abstractmethod
    def stop(self) -> None:
        """End what was started ahead."""

    @abstractmethod
    def processes(self) -> set[int]:
        """Return the processes that wait for the next submission."""

    def isolation(self) -> Mapping[str, Any]:
        """Return what is in force, from a child's own return values and its self-test."""
        if self.report is None:
            self.session(Program((), (), {}), Limits()).close()
        return self.report or {}

    def session(self, program: Program, limits: Limits) -> "Session":
        """Start a fresh child for one submission; the one before is ended."""
        from grader.sandbox.session import Session

        self._end_current()
        _hide_memory()
        first = self.report is None
        session = self.current = Session(self.fresh(), program, limits, {"selftest": first})
        tests = self.tests(session.hello) if self.report is None else self.report["selftest"]
        self.report = isolation.report(session.hello, tests)
        isolation.hold_to(self.demand, self.report)
        return session

    def close(self) -> None:
        """End every process that the engine started."""
        self._end_current()
        self.stop()

    def _end_current(self) -> None:
        if self.current is not None:
            self.current.close()
            self.current = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
