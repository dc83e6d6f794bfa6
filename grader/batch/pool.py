"""Several workers at once: each is a process of its own, served by a thread that starts it, asks it and buries it.

A thread lives as long as its worker: on Linux a child dies with the thread that started it. A worker that dies, or is
silent for longer than any submission may take, costs one retry of one submission on a new worker.
"""

import contextlib
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from grader.batch.frames import receive, send, send_bytes
from grader.errors import GraderError, SandboxError
from grader.sandbox import folders

START = 120.0  # seconds for a worker to import, start its engine and say that it is ready, on a busy machine
TRIES = 2
_ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
_ROOT = Path(__file__).resolve().parents[2]
_TAIL = 2000


class LostError(Exception):
    """A worker died, or was silent for too long and was killed."""


@dataclass(frozen=True)
class Setup:
    """What every worker gets once: plain values for the message, and the frozen key."""

    message: Mapping[str, Any]
    key: bytes
    patience: float  # seconds for one submission, beyond which a worker counts as lost


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


class Worker:
    """One running worker process."""

    def __init__(self, setup: Setup, scratch: str) -> None:
        self._patience = setup.patience
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the worker)
        self._process = subprocess.Popen(
            # -P: a file `numpy.py` in the current folder is a student's, and must not be imported here.
            [sys.executable, "-P", "-m", "grader.batch.worker", str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=_environment(scratch),
            start_new_session=True,  # Ctrl-C reaches the batch alone
        )
        assert self._process.stdin is not None  # noqa: S101 (both are pipes)
        assert self._process.stdout is not None  # noqa: S101
        self._into, self._out = self._process.stdin, self._process.stdout

    def prepare(self, setup: Setup) -> None:
        """Hand over the setup and wait until the worker is ready. Raises `SandboxError` where it refuses."""
        with self._within(START):
            send(self._into, dict(setup.message))
            send_bytes(self._into, setup.key)
            said = receive(self._out)
        if "refused" in said:
            raise SandboxError(said["refused"])

    def grade(self, job: Job) -> dict[str, Any]:
        """Return the answer to a job. Raises `LostError`."""
        with self._within(self._patience):
            send(self._into, dict(job.message))
            return receive(self._out)

    @contextlib.contextmanager
    def _within(self, seconds: float) -> Iterator[None]:
        late = threading.Event()

        def end() -> None:
            late.set()
            self.kill()

        # Killing it is what ends the waiting: a pipe has no time limit on every system.
        timer = threading.Timer(seconds, end)
        timer.daemon = True
        timer.start()
        try:
            yield
        except (OSError, EOFError, ValueError) as error:
            raise LostError(self._describe(seconds if late.is_set() else None)) from error
        finally:
            timer.cancel()

    def _describe(self, silent: float | None) -> str:
        if silent is not None:
            return f"the process that grades it was silent for {silent:g} s"
        with contextlib.suppress(subprocess.TimeoutExpired):
            return f"the process that grades it ended (exit code {self._process.wait(5)})"
        return "the process that grades it closed its connection"

    def last_words(self) -> str:
        """Return the end of what the worker wrote to stderr."""
        with contextlib.suppress(OSError, ValueError):
            self._errors.seek(0, os.SEEK_END)
            self._errors.seek(max(self._errors.tell() - _TAIL, 0))
            return self._errors.read().decode("utf-8", "replace").strip()
        return ""

    def kill(self) -> None:
        """End it at once; its engine and their children end with it."""
        with contextlib.suppress(OSError):
            self._process.kill()

    def close(self) -> None:
        """Let it end by itself, else kill it."""
        with contextlib.suppress(OSError):
            self._into.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()
            self._process.wait()
        self._out.close()
        self._errors.close()


@dataclass
class Pool:
    """Grades jobs on `size` workers."""

    setup: Setup
    size: int
    said: list[str] = field(default_factory=list)  # last words of workers that were lost, for the instructor
    draining: bool = False  # no further job is begun
    killed: bool = False
    _jobs: "queue.SimpleQueue[Job]" = field(default_factory=queue.SimpleQueue)
    _answers: "queue.SimpleQueue[Answer | BaseException | None]" = field(default_factory=queue.SimpleQueue)
    _workers: set[Worker] = field(default_factory=set)

    def grade(self, jobs: Sequence[Job]) -> Iterator[Answer]:
        """Yield an answer for each job, in the order in which they are ready.

        Raises what keeps every job from being graded: a `GraderError` of a worker that refuses to start.
        """
        for job in jobs:
            self._jobs.put(job)
        scratch = os.path.realpath(tempfile.mkdtemp(prefix="grade-batch-"))
        threads = [threading.Thread(target=self._serve, args=(scratch,), daemon=True) for _ in range(self.size)]
        try:
            for thread in threads:
                thread.start()
            yield from self._gather(len(threads))
        finally:
            self.kill()
            for thread in threads:
                thread.join(30)
            folders.wipe(scratch)

    def drain(self) -> None:
        """Begin no further job; those that run are finished."""
        self.draining = True

    def kill(self) -> None:
        """End everything now; what runs gets no answer."""
        self.draining = self.killed = True
        for worker in tuple(self._workers):
            worker.kill()

    def _gather(self, open_threads: int) -> Iterator[Answer]:
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
                return Answer(job.number, worker.grade(job), time.monotonic() - began), worker
            except LostError as error:
                why = str(error)
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
                why = f"{error}; it said: {worker.last_words()[-500:] or 'nothing'}"
                self._bury(worker)
            except BaseException:
                self._bury(worker)
                raise
            else:
                return worker
        message = f"A grading process could not be started: {why}. `grade doctor` tells more."
        raise GraderError(message)

    def _bury(self, worker: Worker) -> None:
        self._workers.discard(worker)
        if words := worker.last_words():
            self.said.append(words)
        worker.close()


def _environment(scratch: str) -> dict[str, str]:
    own = {"PYTHONUTF8": "1", "TMPDIR": scratch, "TEMP": scratch, "TMP": scratch}
    if _ROOT.name not in ("site-packages", "dist-packages"):
        # A checkout is found like this; an installed package is found anyway, and its folder must not precede the
        # standard library.
        own["PYTHONPATH"] = os.pathsep.join([str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, **dict.fromkeys(_ONE_THREAD, "1"), **own}
