"""What every engine offers. One file an engine; the registry is in the folder's `__init__`.

Nothing here imports NumPy: an engine is started before the grader itself has imported much.
"""

import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

from grader.calls import Limits, Program
from grader.sandbox import isolation
from grader.sandbox.children import Child

if TYPE_CHECKING:
    from grader.sandbox.requests import Packer
    from grader.sandbox.session import Session


class Engine(Protocol):
    """Starts children that run student code, one at a time.

    Making one returns at once; what it starts gets ready meanwhile. An engine serves one thread: the one that made it,
    and on Linux its children end when that thread does.
    """

    name: str

    @property
    def packer(self) -> "Packer":
        """Packs what this engine's children are asked."""
        ...

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
        from grader.sandbox.shared import linux  # imports ctypes

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

    @cached_property
    def packer(self) -> "Packer":
        """Packs what this engine's children are asked, and keeps what they are asked again."""
        from grader.sandbox.requests import Packer  # imports NumPy

        return Packer()

    @abstractmethod
    def fresh(self, setup: Mapping[str, Any]) -> Child:
        """Return a child that was given its setup (`session.make_setup`) and answers it with its hello."""

    @abstractmethod
    def tests(self, hello: Mapping[str, Any]) -> Mapping[str, str]:
        """Return what came of the self-test, given the first child's hello."""

    @abstractmethod
    def stop(self) -> None:
        """End what was started ahead."""

    def isolation(self) -> Mapping[str, Any]:
        """Return what is in force, from a child's own return values and its self-test."""
        if self.report is None:
            self.session(Program((), (), {}), Limits()).close()
        return self.report or {}

    def session(self, program: Program, limits: Limits) -> "Session":
        """Start a fresh child for one submission; the one before is ended."""
        self._end_current()
        _hide_memory()
        session = self.current = self._open(program, limits)
        session.greet()
        tests = self.tests(session.hello) if self.report is None else self.report["selftest"]
        self.report = isolation.report(session.hello, tests)
        isolation.hold_to(self.demand, self.report)
        return session

    def close(self) -> None:
        """End every process that the engine started."""
        try:
            self._end_current()
        finally:
            self.stop()

    def _open(self, program: Program, limits: Limits) -> "Session":
        from grader.sandbox.session import Session, make_setup

        setup = make_setup(limits, selftest=self.report is None)
        child = self.fresh(setup)
        try:
            return Session(child, program, limits, setup["seq"])
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
