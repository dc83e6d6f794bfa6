"""Ctrl-C and requests to end, while a batch is grading."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from grader.batch.pool import Pool
from grader.batch.progress import Watcher

# A person who closes the terminal wants the same as one who sends SIGTERM.
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
HEEDED = tuple(signal.Signals[name] for name in _NAMES if name in signal.Signals.__members__)


@contextmanager
def heed_signals(pool: Pool | None, watcher: Watcher) -> Iterator[list[signal.Signals]]:
    """Let the first Ctrl-C finish work in progress; a second one, or a request to end, ends it now.

    Where nothing is graded, or no more, signals wait: what follows is the gradebook, which nothing ends half-way.

    Yield the list that the signals are put into as they come. A signal that was ignored before (`nohup`) stays so.
    Outside the main thread Python hears no signal.
    """
    heard: list[signal.Signals] = []

    def hear(number: int, _frame: FrameType | None) -> None:
        heard.append(signal.Signals(number))
        if pool is None or pool.over:
            return
        if heard != [signal.SIGINT]:
            pool.kill()
            return
        pool.drain()
        with suppress(RuntimeError):  # the signal came in the middle of another note
            watcher.note("interrupted: work in progress is finished first; Ctrl-C again ends it now.")

    before = {}
    if threading.current_thread() is threading.main_thread():
        for number in HEEDED:
            if signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, hear)
    try:
        yield heard
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)


def tell_end(heard: list[signal.Signals]) -> signal.Signals | None:
    """Return what ended a run before its end: Ctrl-C, or else the first request to end."""
    return next((number for number in heard if number is not signal.SIGINT), heard[0] if heard else None)
