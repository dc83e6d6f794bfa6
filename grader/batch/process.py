"""Hold one worker, from the batch's side: start the process, speak with it within a time limit, end it."""

import contextlib
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NamedTuple

from grader.batch.frames import receive, send, send_bytes, skip_to
from grader.errors import CourseError, GraderError, IsolationError, SandboxError, UsageError
from grader.files import pack_path
from grader.sandbox.activity import processor_time
from grader.sandbox.clock import longest
from grader.settings import Settings
from grader.shortage import tell_shortage

START = 120.0  # seconds for a worker to import, start its engine and say that it is ready, on a busy machine
_ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
_ROOT = Path(__file__).resolve().parents[2]
_TAIL = 500  # bytes of what a lost worker wrote to stderr: its last lines
_KINDS = {kind.__name__: kind for kind in (CourseError, IsolationError, UsageError)}


class LostError(Exception):
    """A worker died, or was silent for too long and was killed."""


@dataclass(frozen=True)
class Setup:
    """The one message that every worker gets first. `leave_out` are folders that are nobody's work."""

    settings: Settings
    key: bytes  # frozen
    leave_out: tuple[Path, ...]
    patience: float  # seconds for one submission, beyond which a silent worker is looked at


class _Wait(NamedTuple):
    """A wait for a worker: since when, how long it may take, and how much the worker had computed before."""

    began: float  # by the clock of `time.monotonic`, as all of these in seconds
    seconds: float
    most: float
    used_before: float


class Worker:
    """One running worker process."""

    def __init__(self, setup: Setup, scratch: str) -> None:
        """Start the process. Raise `LostError` where the system starts none."""
        self._setup = setup
        self._wait: _Wait | None = None
        self._killed_late = False
        self._greeting = secrets.token_hex(16)
        with contextlib.ExitStack() as undo:
            try:
                self._errors: IO[bytes] = undo.enter_context(tempfile.TemporaryFile())
                self._process = subprocess.Popen(
                    # -P: a file `numpy.py` in the current folder is a student's, and must not be imported here.
                    [sys.executable, "-P", "-m", "grader.batch.worker", str(os.getpid()), self._greeting],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=self._errors,
                    env=_environment(scratch),
                    start_new_session=True,  # Ctrl-C reaches the batch alone
                )
            except (OSError, MemoryError) as error:
                raise LostError(_tell_unstarted(error)) from error
            undo.pop_all()  # closed with the worker
        assert self._process.stdin is not None  # noqa: S101 (a pipe, which the type checker cannot know)
        assert self._process.stdout is not None  # noqa: S101 (as above)
        self._into, self._out = self._process.stdin, self._process.stdout

    def prepare(self) -> None:
        """Hand over the setup and wait until the worker is ready.

        Raise `LostError`, and where it refuses a `GraderError` of the kind that it met. A sandbox that could not be
        started is a loss like another one: somebody may have ended its processes.
        """
        with self._within(START, START):
            skip_to(self._out, self._greeting.encode())
            leave_out = [pack_path(folder) for folder in self._setup.leave_out]
            send(self._into, {"settings": self._setup.settings.pack(), "leave_out": leave_out})
            send_bytes(self._into, self._setup.key)
            said = receive(self._out)
        if "short" in said:
            raise LostError(said["short"])
        if said.get("kind") == SandboxError.__name__:
            raise LostError(said["refused"])
        if "refused" in said:
            raise _KINDS.get(said["kind"], GraderError)(said["refused"])

    def grade(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a job. Raise `LostError`."""
        patience = self._setup.patience
        with self._within(patience, patience + longest(self._setup.settings.limits)):
            send(self._into, dict(job))
            return receive(self._out)

    @contextlib.contextmanager
    def _within(self, seconds: float, most: float) -> Iterator[None]:
        """Let the worker be silent for so long.

        A worker sleeps while it waits for student code, which takes its time on a busy machine (see
        `grader.sandbox.clock`). So after `seconds` it is lost only where it has computed itself for most of them, else
        after `most`.
        """
        began = time.monotonic()
        self._wait = _Wait(began, seconds, most, processor_time(self._process.pid) or 0.0)
        try:
            yield
        except (OSError, EOFError, ValueError) as error:
            silent = time.monotonic() - began if self._killed_late else None
            raise LostError(self._describe(silent)) from error
        finally:
            self._wait = None

    def kill_when_late(self) -> None:
        """End the worker if it has been silent for too long. Another thread has to ask for it, now and then.

        Killing the worker ends the wait: not every system has a time limit for a pipe. A timer would be one more thread
        for each submission, which a machine may refuse.
        """
        wait, now = self._wait, time.monotonic()
        if wait is None or now < wait.began + wait.seconds:
            return
        used = (processor_time(self._process.pid) or 0.0) - wait.used_before
        if used > wait.seconds / 2 or now >= wait.began + wait.most:
            self._killed_late = True
            self.kill()

    def _describe(self, silent: float | None) -> str:
        if silent is not None:
            return f"the process that grades it was silent for {silent:.0f} s"
        with contextlib.suppress(subprocess.TimeoutExpired):
            return f"the process that grades it ended (exit code {self._process.wait(5)})"
        return "the process that grades it closed its connection"

    def last_words(self) -> str:
        """Return the end of what the worker wrote to stderr."""
        with contextlib.suppress(OSError, ValueError):
            self._errors.seek(0, os.SEEK_END)
            self._errors.seek(max(self._errors.tell() - _TAIL, 0))
            return " | ".join(self._errors.read().decode("utf-8", "replace").split("\n")).strip(" |")
        return ""

    def kill(self) -> None:
        """End the worker at once; its engine and the engine's children end with it."""
        with contextlib.suppress(OSError):
            self._process.kill()

    def close(self) -> None:
        """Let the worker end by itself, else kill it."""
        with contextlib.suppress(OSError):
            self._into.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()
            self._process.wait()
        self._out.close()
        self._errors.close()


def _tell_unstarted(error: BaseException) -> str:
    reason = tell_shortage(error) or (isinstance(error, OSError) and error.strerror) or type(error).__name__
    return str(reason)


def _environment(scratch: str) -> dict[str, str]:
    # A worker has to read the names of files as this process does: they are part of a report's stamp.
    utf8 = "1" if sys.getfilesystemencoding() == "utf-8" else "0"
    own = {"PYTHONUTF8": utf8, "TMPDIR": scratch, "TEMP": scratch, "TMP": scratch}
    if _ROOT.name not in ("site-packages", "dist-packages"):
        # With -P a worker does not find a checkout by itself. It finds an installed package, whose folder must not come
        # before the standard library.
        own["PYTHONPATH"] = os.pathsep.join([str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, **dict.fromkeys(_ONE_THREAD, "1"), **own}
