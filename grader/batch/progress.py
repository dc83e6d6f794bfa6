"""Show the progress of a batch on stderr: a bar on a terminal, elsewhere a plain line now and then."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol, TextIO

from grader.inert import printable

EVERY = 10.0  # seconds between two plain lines
_NAME = 24  # characters of a name that are shown, so that the line fits on a screen


class Watcher(Protocol):
    """Is told how a batch goes on."""

    def begin(self, total: int, ready: int) -> None:
        """Hear of `total` submissions, of which `ready` have a report already."""

    def step(self, student: str, seconds: float, *, failed: bool) -> None:
        """Hear that one more is done."""

    def note(self, sentence: str) -> None:
        """Hear a sentence for the instructor."""

    def end(self) -> None:
        """Hear that no more steps follow."""


@dataclass
class Count:
    """How far a batch is."""

    total: int = 0
    ready: int = 0
    done: int = 0
    failed: int = 0
    slowest: tuple[float, str] = (0.0, "")
    began: float = field(default_factory=time.monotonic)

    def add(self, student: str, seconds: float, *, failed: bool) -> None:
        """Count one more."""
        self.done += 1
        self.failed += failed
        self.slowest = max(self.slowest, (seconds, student))

    def __str__(self) -> str:
        """Return how far the batch is, in one line."""
        elapsed = max(time.monotonic() - self.began, 1e-9)
        rate = self.done / elapsed
        left = (self.total - self.ready - self.done) / rate if rate else 0.0
        seconds, student = self.slowest
        parts = [f"{self.ready + self.done} of {self.total} done", f"{rate:.1f} per second", f"{_clock(left)} left"]
        parts += [f"slowest {_short(student)} {seconds:.1f} s"] if student else []
        parts += [f"{self.failed} without a result"] if self.failed else []
        return ", ".join(parts)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"


def _short(name: str) -> str:
    shown = printable(name)
    return shown if len(shown) <= _NAME else shown[: _NAME - 1] + "…"


@dataclass
class PlainProgress:
    """Write a line every few seconds, none for a batch that is over before."""

    write: Callable[[str], None]
    every: float = EVERY
    count: Count = field(default_factory=Count)
    _spoke: float = field(default_factory=time.monotonic)

    def begin(self, total: int, ready: int) -> None:
        """Start to count."""
        self.count = Count(total, ready)
        self._spoke = time.monotonic()
        if ready:
            self.write(f"{ready} of {total} {'has' if ready == 1 else 'have'} a report already")

    def step(self, student: str, seconds: float, *, failed: bool) -> None:
        """Count one, and write how far the batch is when the last line is old enough."""
        self.count.add(student, seconds, failed=failed)
        now = time.monotonic()
        if now - self._spoke >= self.every:
            self._spoke = now
            self.write(str(self.count))

    def note(self, sentence: str) -> None:
        """Write the sentence as it is."""
        self.write(sentence)

    def end(self) -> None:
        """Do nothing: the summary follows."""


class BarProgress:
    """Show a bar on a terminal, drawn by rich."""

    def __init__(self, stream: TextIO) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        self._bar: Any = Progress(
            BarColumn(bar_width=24),
            TextColumn("{task.description}", markup=False),
            console=Console(file=stream, markup=False, highlight=False),
            transient=True,
        )
        self._task: Any = None
        self._count = Count()

    def begin(self, total: int, ready: int) -> None:
        """Show the bar."""
        self._count = Count(total, ready)
        self._task = self._bar.add_task(str(self._count), total=total, completed=ready)
        self._bar.start()

    def step(self, student: str, seconds: float, *, failed: bool) -> None:
        """Move the bar on."""
        self._count.add(student, seconds, failed=failed)
        # The terminal may be gone, here and below. Then the batch goes on, or ends in order.
        with suppress(OSError):
            self._bar.update(self._task, advance=1, description=str(self._count))

    def note(self, sentence: str) -> None:
        """Write above the bar."""
        with suppress(OSError):
            self._bar.console.print(f"grade: {printable(sentence)}", soft_wrap=True)

    def end(self) -> None:
        """Take the bar away."""
        with suppress(OSError):
            self._bar.stop()


def choose_progress(stream: TextIO, write: Callable[[str], None]) -> Watcher:
    """Return a bar where `stream` is a terminal, else plain lines through `write`."""
    return BarProgress(stream) if stream.isatty() else PlainProgress(write)
