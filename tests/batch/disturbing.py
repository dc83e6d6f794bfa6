"""Kills and stops the processes of a batch that a test has started, and no others.

A process is found among the descendants of the batch and held by a descriptor, so that its number is never taken for
that of a later process.
"""

import contextlib
import os
import random
import signal
import threading
import time
from pathlib import Path

KINDS = ("child", "zygote", "worker")


def read_words(pid: int) -> str:
    """Return the command line of a process; empty where it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
    except OSError:
        return ""


def list_children(pid: int) -> list[int]:
    """Return the children of a process, those of all its threads."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(OSError):
                found += map(int, (thread / "children").read_text().split())
    return found


def find(batch: int, kind: str) -> list[int]:
    """Return the processes of one kind below a batch: its workers, their zygotes, or what the zygotes forked."""
    workers = [pid for pid in list_children(batch) if "grader.batch.worker" in read_words(pid)]
    if kind == "worker":
        return workers
    zygotes = [each for pid in workers for each in list_children(pid) if "forkserver" in read_words(each)]
    return zygotes if kind == "zygote" else [each for pid in zygotes for each in list_children(pid)]


class Disturber(threading.Thread):
    """Kills or stops processes of a batch until the batch has ended or so many were disturbed.

    Parameters
    ----------
    batch : int
        The process of the batch.
    kinds : tuple of str
        Of which each disturbance chooses one.
    times : int
        How many disturbances there are.
    stop : float
        Seconds for which a process is stopped; 0 kills it.
    pause : float
        Seconds between two disturbances, at the most.
    """

    def __init__(
        self, batch: int, kinds: tuple[str, ...], times: int, *, stop: float = 0.0, pause: float = 0.1, seed: int = 0
    ) -> None:
        super().__init__(daemon=True)
        self.batch, self.kinds, self.times, self.stop, self.pause = batch, kinds, times, stop, pause
        self.done = 0
        self._over = threading.Event()
        self._random = random.Random(seed)

    def run(self) -> None:
        while self.done < self.times and not self._over.is_set():
            self._over.wait(self._random.uniform(0.0, self.pause))
            # A child lives for 40 ms: it is looked for until there is one.
            while not self._over.is_set():
                found = find(self.batch, self._random.choice(self.kinds))
                if found and self._disturb(self._random.choice(found)):
                    self.done += 1
                    break
                time.sleep(0.002)

    def _disturb(self, pid: int) -> bool:
        try:
            handle = os.pidfd_open(pid)
        except OSError:
            return False
        try:
            time.sleep(self._random.uniform(0.0, 0.02))
            signal.pidfd_send_signal(handle, signal.SIGSTOP if self.stop else signal.SIGKILL)
            if self.stop:
                self._over.wait(self.stop)
                signal.pidfd_send_signal(handle, signal.SIGCONT)
        except OSError:
            return False
        finally:
            os.close(handle)
        return True

    def end(self) -> None:
        """Stop disturbing; a process that is stopped goes on."""
        self._over.set()
        self.join(30)
