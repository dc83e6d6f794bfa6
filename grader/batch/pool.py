"""Keep several workers busy: each is a process, with a thread that starts it, hands it jobs and ends it.

A thread lives as long as its worker, because on Linux a child dies with the thread that started it. A worker that dies,
or is silent for longer than any submission may take, costs one retry of one submission on a new worker.
"""

import queue
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader.batch.process import LostError, Setup, Worker
from grader.batch.scratch import open_scratch
from grader.errors import GraderError

TRIES = 3  # for one submission: further workers tell work that always loses its worker from a worker killed by chance
STARTS = 5  # a worker takes a second to start, in which somebody may end it or its sandbox


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
    _jobs: "queue.SimpleQueue[Job]" = field(default_factory=queue.SimpleQueue)
    _finished: "queue.SimpleQueue[Finished | BaseException | None]" = field(default_factory=queue.SimpleQueue)
    _workers: set[Worker] = field(default_factory=set)

    def grade(self, jobs: Sequence[Job]) -> Generator[Finished, None, None]:
        """Yield how each job ended, in the order in which they end.

        Raise the `GraderError` of a worker that refuses to start: it would keep every job from being graded.
        """
        for job in jobs:
            self._jobs.put(job)
        with open_scratch() as scratch:
            threads = [threading.Thread(target=self._serve, args=(scratch,), daemon=True) for _ in range(self.size)]
            try:
                for thread in threads:
                    thread.start()
                yield from self._gather(len(threads))
            finally:
                self.kill()
                for thread in threads:
                    if thread.ident is not None:
                        thread.join(30)

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
            while not self.draining:
                try:
                    job = self._jobs.get_nowait()
                except queue.Empty:
                    break
                finished, worker = self._attend(job, worker, scratch)
                if finished is not None:
                    self._finished.put(finished)
        except BaseException as error:  # noqa: BLE001 (the main thread raises it: see `_gather`)
            if not self.killed:  # a worker that was killed while it started is no fault
                self._finished.put(error)
        finally:
            if worker is not None:
                self._end(worker)
            self._finished.put(None)

    def _attend(self, job: Job, worker: Worker | None, scratch: str) -> tuple[Finished | None, Worker | None]:
        """Grade a job; return how it ended (None where everything was killed), and the worker for the next one."""
        began, why = time.monotonic(), ""
        for _ in range(TRIES):
            worker = worker or self._start(scratch)
            try:
                return Finished(job.number, worker.grade(job.message), time.monotonic() - began), worker
            except LostError as error:
                why = str(error)
                self._remember(why, worker)
                self._end(worker)
                worker = None
                if self.killed:
                    return None, None
        return Finished(job.number, None, time.monotonic() - began, why), None

    def _start(self, scratch: str) -> Worker:
        why = ""
        for _ in range(STARTS):
            worker = Worker(self.setup, scratch)
            self._workers.add(worker)
            if self.killed:
                worker.kill()
            try:
                worker.prepare()
            except LostError as error:
                why = self._remember(str(error), worker)
                self._end(worker)
                if self.killed:
                    break
            except BaseException:
                self._end(worker)
                raise
            else:
                return worker
        message = f"A grading process could not be started: {why}. `grade doctor` tells more."
        raise GraderError(message)

    def _remember(self, why: str, worker: Worker) -> str:
        told = f"{why}; it said: {worker.last_words() or 'nothing'}"
        if not self.killed:
            self.losses.append(told)
        return told

    def _end(self, worker: Worker) -> None:
        self._workers.discard(worker)
        worker.close()
