"""Several workers at once: each is a process of its own, served by a thread that starts it, asks it and buries it.

A thread lives as long as its worker: on Linux a child dies with the thread that started it. A worker that dies, or is
silent for longer than any submission may take, costs one retry of one submission on a new worker.
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

TRIES = 2


@dataclass(frozen=True)
class Job:
    """One submission to grade: its place in the caller's list, and the message for the worker."""

    number: int
    message: Mapping[str, Any]


@dataclass(frozen=True)
class Answer:
    """What became of a job: the worker's message, or None and why there is none."""

    number: int
    message: Mapping[str, Any] | None
    seconds: float
    why: str = ""


@dataclass
class Pool:
    """Grades jobs on `size` workers."""

    setup: Setup
    size: int
    losses: list[str] = field(default_factory=list)  # what became of workers that were lost, for the instructor
    draining: bool = False  # no further job is begun
    killed: bool = False
    _jobs: "queue.SimpleQueue[Job]" = field(default_factory=queue.SimpleQueue)
    _answers: "queue.SimpleQueue[Answer | BaseException | None]" = field(default_factory=queue.SimpleQueue)
    _workers: set[Worker] = field(default_factory=set)

    def grade(self, jobs: Sequence[Job]) -> Generator[Answer, None, None]:
        """Yield an answer for each job, in the order in which they are ready.

        Raises what keeps every job from being graded: a `GraderError` of a worker that refuses to start.
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
        """Begin no further job; those that run are finished."""
        self.draining = True

    def kill(self) -> None:
        """End everything now; what runs gets no answer."""
        self.draining = self.killed = True
        for worker in tuple(self._workers):
            worker.kill()

    def _gather(self, open_threads: int) -> Generator[Answer, None, None]:
        while open_threads:
            try:
                found = self._answers.get(timeout=1.0)  # Windows cannot be interrupted in a wait without end
            except queue.Empty:
                continue
            match found:
                case None:
                    open_threads -= 1
                case Answer():
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
                answer, worker = self._attend(job, worker, scratch)
                if answer is not None:
                    self._answers.put(answer)
        except BaseException as error:  # noqa: BLE001 (the batch decides what it means)
            if not self.killed:  # a worker that was killed while it started is no fault
                self._answers.put(error)
        finally:
            if worker is not None:
                self._bury(worker)
            self._answers.put(None)

    def _attend(self, job: Job, worker: Worker | None, scratch: str) -> tuple[Answer | None, Worker | None]:
        began, why = time.monotonic(), ""
        for _ in range(TRIES):
            worker = worker or self._start(scratch)
            try:
                return Answer(job.number, worker.grade(job.message), time.monotonic() - began), worker
            except LostError as error:
                why = str(error)
                self._remember(why, worker)
                self._bury(worker)
                worker = None
                if self.killed:
                    return None, None
        return Answer(job.number, None, time.monotonic() - began, why), None

    def _start(self, scratch: str) -> Worker:
        why = ""
        for _ in range(TRIES):
            worker = Worker(self.setup, scratch)
            self._workers.add(worker)
            if self.killed:
                worker.kill()
            try:
                worker.prepare(self.setup)
            except LostError as error:
                why = self._remember(str(error), worker)
                self._bury(worker)
                if self.killed:
                    break
            except BaseException:
                self._bury(worker)
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

    def _bury(self, worker: Worker) -> None:
        self._workers.discard(worker)
        worker.close()
