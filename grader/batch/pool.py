"""Keep several workers busy: each is a process, with a thread that starts it, hands it jobs and ends it.

A thread lives as long as its worker, because on Linux a child dies with the thread that started it. A worker that dies,
or is silent for longer than any submission may take, costs one retry of one submission on a new worker. Where no new
one can be started, the others go on without it.

Nothing here grows with the class: a job is made when a worker is free, and a worker waits until its answer is taken. So
an interruption has nothing to put away but what runs.
"""

import contextlib
import queue
import threading
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from grader.batch.process import LostError, Setup, Worker
from grader.batch.scratch import open_scratch
from grader.errors import GraderError
from grader.shortage import tell_shortage

TRIES = 3  # for one submission: further workers tell work that always loses its worker from a worker killed by chance
# Seconds before a worker that could not be started is tried again. The machine may have been full for a moment; and a
# worker takes a second to start, in which somebody may end it or its sandbox.
PAUSES = (0.5, 0.5, 1.0, 2.0)
_LOOK = 0.2  # seconds between two looks at what somebody else decides


@dataclass(frozen=True)
class Job:
    """One submission to grade: its place in the caller's list, and the message for the worker."""

    number: int
    message: Mapping[str, Any]


@dataclass(frozen=True)
class Finished:
    """How a job ended: with the worker's message, or without one (None) and why."""

    number: int
    message: Mapping[str, Any] | None
    seconds: float
    why: str = ""


@dataclass
class Pool:
    """Grade jobs on `size` workers."""

    setup: Setup
    size: int
    losses: list[str] = field(default_factory=list)  # what became of workers that were lost, for the instructor
    draining: bool = False  # no further job is begun
    killed: bool = False
    _jobs: Iterator[Job] = field(default_factory=lambda: iter(()))
    _returned: "deque[Job]" = field(default_factory=deque)  # begun by a worker that was lost, and not finished
    _choosing: threading.Condition = field(default_factory=threading.Condition)
    _running: int = 0  # jobs that a thread attends to
    _finished: "queue.Queue[Finished | BaseException | None]" = field(init=False)
    _workers: set[Worker] = field(default_factory=set)
    _unstarted: str = ""  # why a worker could not be started, the last time
    over: bool = False  # nobody takes what is finished any more

    def __post_init__(self) -> None:
        self._finished = queue.Queue(2 * self.size)  # a short wait on the disk keeps no worker waiting

    def grade(self, jobs: Iterable[Job]) -> Generator[Finished, None, None]:
        """Yield how each job ended, in the order in which they end.

        Raise the `GraderError` of a worker that refuses to start, which would keep every job from being graded, and one
        where no worker is left for jobs that are.
        """
        self._jobs = iter(jobs)
        with open_scratch() as scratch:
            threads: list[threading.Thread] = []
            try:
                self._open_threads(scratch, threads)
                yield from self._gather(len(threads))
                left = not self.draining and self._choose() is not None
            finally:
                self.over = True
                self.kill()
                for thread in threads:
                    thread.join(30)
        if left:
            message = f"No grading process could be started: {self._unstarted}"
            raise GraderError(message)

    def _open_threads(self, scratch: str, threads: list[threading.Thread]) -> None:
        for _ in range(self.size):
            thread = threading.Thread(target=self._serve, args=(scratch,), daemon=True)
            try:
                thread.start()
            except (RuntimeError, MemoryError) as error:
                self._remember_unstarted(tell_shortage(error) or str(error))
                return
            threads.append(thread)

    def drain(self) -> None:
        """Begin no further job; those that have begun are finished."""
        self.draining = True

    def kill(self) -> None:
        """End everything now; jobs that have begun are not finished."""
        self.draining = self.killed = True
        for worker in tuple(self._workers):
            worker.kill()

    def _gather(self, open_threads: int) -> Generator[Finished, None, None]:
        while open_threads:
            for worker in tuple(self._workers):
                worker.kill_when_late()
            try:
                found = self._finished.get(timeout=1.0)  # on Windows Ctrl-C does not end a wait without a limit
            except queue.Empty:
                continue
            match found:
                case None:
                    open_threads -= 1
                case Finished():
                    yield found
                case _:
                    raise found

    def _serve(self, scratch: str) -> None:
        worker: Worker | None = None
        try:
            while not self.draining and (job := self._choose()) is not None:
                try:
                    finished, worker = self._attend(job, worker, scratch)
                finally:
                    self._rest()
                if finished is not None:
                    self._tell(finished)
                if worker is None and finished is None:
                    break
        except BaseException as error:  # noqa: BLE001 (the main thread raises it: see `_gather`)
            if not self.killed:  # a worker that was killed while it started is no fault
                self._tell(error)
        finally:
            if worker is not None:
                self._end(worker)
            self._tell(None)

    def _choose(self) -> Job | None:
        """Return the next job; None where all are finished.

        A job that another thread attends to may come back, where that thread's worker is lost and has no successor. So
        the last jobs keep every worker.
        """
        with self._choosing:
            while not self.draining:
                job = self._returned.popleft() if self._returned else next(self._jobs, None)
                if job is not None:
                    self._running += 1
                    return job
                if not self._running:
                    break
                self._choosing.wait(_LOOK)
            return None

    def _rest(self) -> None:
        with self._choosing:
            self._running -= 1
            self._choosing.notify_all()

    def _tell(self, found: Finished | BaseException | None) -> None:
        while not self.over:
            with contextlib.suppress(queue.Full):
                self._finished.put(found, timeout=_LOOK)
                return

    def _attend(self, job: Job, worker: Worker | None, scratch: str) -> tuple[Finished | None, Worker | None]:
        """Grade a job; return how it ended (None: it did not begin, or was killed), and the worker that is left."""
        began, why = time.monotonic(), ""
        for _ in range(TRIES):
            worker = worker or self._start(scratch)
            if worker is None:
                self._returned.append(job)  # before `_rest`: whoever waits for it finds it
                return None, None
            try:
                return Finished(job.number, worker.grade(job.message), time.monotonic() - began), worker
            except LostError as error:
                why = str(error)
                if not self.killed:
                    self.losses.append(_quote(why, worker))
                self._end(worker)
                worker = None
                if self.killed:
                    return None, None
        return Finished(job.number, None, time.monotonic() - began, why), None

    def _start(self, scratch: str) -> Worker | None:
        """Return a worker that is ready; None where none can be started, or none is wanted any more."""
        for pause in (*PAUSES, 0.0):
            worker: Worker | None = None
            try:
                worker = Worker(self.setup, scratch)
                self._workers.add(worker)
                if self.killed:
                    worker.kill()
                worker.prepare()
            except LostError as error:
                self._remember_unstarted(_quote(str(error), worker))
                if worker is not None:
                    self._end(worker)
            except BaseException:
                if worker is not None:
                    self._end(worker)
                raise
            else:
                return worker
            if not self._pause(pause):
                break
        return None

    def _pause(self, seconds: float) -> bool:
        """Wait; return whether a further worker is still wanted."""
        until = time.monotonic() + seconds
        while not self.draining and time.monotonic() < until:
            time.sleep(_LOOK)
        return not self.draining

    def _remember_unstarted(self, why: str) -> None:
        self._unstarted = why
        if not self.killed:
            self.losses.append(f"a grading process could not be started: {why}")

    def _end(self, worker: Worker) -> None:
        self._workers.discard(worker)
        worker.close()


def _quote(why: str, worker: Worker | None) -> str:
    """Return why a worker was lost, with its last words where it had any."""
    said = worker.last_words() if worker is not None else ""
    return f"{why}; it said: {said}" if said else why
