"""The interface of an engine. Each engine has a module of its own; the registry is in the package's `__init__`.

Nothing here imports NumPy when it is imported itself: an engine is started before the grader has imported much.
"""

import contextlib
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

from grader.calls import Limits
from grader.sandbox import isolation
from grader.sandbox.children import Child, UnreadyError
from grader.sandbox.limits import STARTS

if TYPE_CHECKING:
    from grader.sandbox.requests import Packer
    from grader.sandbox.session import Session


class Engine(Protocol):
    """Starts children that run student code, one at a time.

    Making an engine returns at once; the process that it starts gets ready meanwhile. An engine serves the thread that
    made it. On Linux the kernel kills its children when that thread ends.
    """

    name: str

    @property
    def packer(self) -> "Packer":
        """Return what packs the calls that this engine's children are asked."""
        ...

    def isolation(self) -> Mapping[str, Any]:
        """Return what is in force, from a child's own return values and its self-test."""
        ...

    def session(self, limits: Limits) -> "Session":
        """Start a fresh child for one submission."""
        ...

    def renew(self) -> None:
        """End what is started ahead, so that the next child owes nothing to it."""
        ...

    def close(self) -> None:
        """End every process that the engine started."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def _hide_memory() -> None:
    """Let no other process of this user read the grader's memory or environment (Linux): the answers are there.

    Under weak isolation this alone stops student code from opening `/proc/PID/mem` of the grader.
    """
    if sys.platform == "linux":
        from grader.sandbox.shared import linux  # imports ctypes

        linux.hide_memory()


class ChildEngine(ABC):
    """The part that engines share: one session at a time, and the report of the isolation.

    Parameters
    ----------
    demand : {"full", "weak", None}
        With "full", a session whose isolation turns out weaker is refused with `SandboxError`.
    confine : bool
        False leaves Landlock and seccomp out, as on a system that has neither. For tests.
    """

    name: ClassVar[str]

    def __init__(self, *, demand: str | None = None, confine: bool = True) -> None:
        self.demand, self.confine = demand, confine
        self.report: Mapping[str, Any] | None = None
        self.current: Session | None = None

    @cached_property
    def packer(self) -> "Packer":
        """Return what packs the calls that this engine's children are asked, and keeps those that are asked again."""
        from grader.sandbox.requests import Packer  # imports NumPy

        return Packer()

    @abstractmethod
    def fresh(self, setup: Mapping[str, Any]) -> Child:
        """Return a child that has been given its setup (`session.make_setup`) and answers with its hello."""

    @abstractmethod
    def tests(self, hello: Mapping[str, Any]) -> Mapping[str, str]:
        """Return the result of the self-test, given the first child's hello."""

    @abstractmethod
    def renew(self) -> None:
        """End what is started ahead, so that the next child owes nothing to it."""

    @abstractmethod
    def stop(self) -> None:
        """End the process that waits for the next submission."""

    def isolation(self) -> Mapping[str, Any]:
        """Return what is in force, from a child's own return values and its self-test."""
        if self.report is None:
            self.session(Limits()).close()
        return self.report or {}

    def session(self, limits: Limits) -> "Session":
        """Start a fresh child for one submission, after ending the one before.

        No student code is there yet. So a child that is lost before its hello, or whose self-test did not come to its
        end, was disturbed by somebody, and another one is started.

        Raises
        ------
        SandboxError
            If none can be started, or the isolation that is demanded is not in force.
        """
        _hide_memory()
        for start in range(STARTS - 1):
            with contextlib.suppress(UnreadyError):
                return self._begin(limits)
            if start:  # a second child of the same fork server was lost, too
                self.renew()
        return self._begin(limits)

    def _begin(self, limits: Limits) -> "Session":
        """Start one child; raise `UnreadyError` where it is worth another try."""
        self._end_current()
        # Kept before the hello is waited for: where that is interrupted, `close` still ends the child.
        session = self.current = self._open(limits)
        session.greet()
        tests = self.tests(session.hello) if self.report is None else self.report["selftest"]
        if isolation.is_disturbed(tests):
            self.renew()
            message = "the self-test of the sandbox did not come to its end: somebody ends its processes; try again"
            raise UnreadyError(message)
        self.report = isolation.assess(session.hello, tests)
        isolation.hold_to(self.demand, self.report)
        return session

    def close(self) -> None:
        """End every process that the engine started."""
        try:
            self._end_current()
        finally:
            self.stop()

    def _open(self, limits: Limits) -> "Session":
        from grader.sandbox.session import Session, make_setup  # imports NumPy

        setup = make_setup(limits, selftest=self.report is None)
        child = self.fresh(setup)
        try:
            return Session(child, limits, setup["seq"])
        except BaseException:
            child.discard()
            raise

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
