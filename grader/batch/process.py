"""Hold one worker, from the batch's side: start the process, speak with it within a time limit, end it."""

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from grader.batch.frames import receive, send, send_bytes
from grader.errors import CourseError, GraderError, IsolationError, SandboxError, UsageError
from grader.files import pack_path
from grader.sandbox.activity import processor_time
from grader.sandbox.clock import longest
from grader.settings import Settings

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


class Worker:
    """One running worker process."""

    def __init__(self, setup: Setup, scratch: str) -> None:
        self._setup = setup
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
        assert self._process.stdin is not None  # noqa: S101 (a pipe, which the type checker cannot know)
        assert self._process.stdout is not None  # noqa: S101 (as above)
        self._into, self._out = self._process.stdin, self._process.stdout

    def prepare(self) -> None:
        """Hand over the setup and wait until the worker is ready.

        Raise `LostError`, and where it refuses a `GraderError` of the kind that it met. A sandbox that could not be
        started is a loss like another one: somebody may have ended its processes.
        """
        with self._within(START, START):
            leave_out = [pack_path(folder) for folder in self._setup.leave_out]
            send(self._into, {"settings": self._setup.settings.pack(), "leave_out": leave_out})
            send_bytes(self._into, self._setup.key)
            said = receive(self._out)
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
        """Kill the worker where it is silent for too long.

        A worker sleeps while it waits for student code, which takes its time on a busy machine (see
        `grader.sandbox.clock`). So after `seconds` it is lost only where it has computed itself for most of them, else
        after `most`.
        """
        over, late = threading.Event(), threading.Event()
        began, before = time.monotonic(), processor_time(self._process.pid)

        def watch() -> None:
            while not over.wait(seconds):
                used = (processor_time(self._process.pid) or 0.0) - (before or 0.0)
                if used > seconds / 2 or time.monotonic() - began >= most:
                    late.set()
                    self.kill()  # this ends the wait: not every system has a time limit for a pipe
                    return

        threading.Thread(target=watch, daemon=True).start()
        try:
            yield
        except (OSError, EOFError, ValueError) as error:
            raise LostError(self._describe(time.monotonic() - began if late.is_set() else None)) from error
        finally:
            over.set()

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
            return self._errors.read().decode("utf-8", "replace").strip()
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


def _environment(scratch: str) -> dict[str, str]:
    # A worker has to read the names of files as this process does: they are part of a report's stamp.
    utf8 = "1" if sys.getfilesystemencoding() == "utf-8" else "0"
    own = {"PYTHONUTF8": utf8, "TMPDIR": scratch, "TEMP": scratch, "TMP": scratch}
    if _ROOT.name not in ("site-packages", "dist-packages"):
        # With -P a worker does not find a checkout by itself. It finds an installed package, whose folder must not come
        # before the standard library.
        own["PYTHONPATH"] = os.pathsep.join([str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, **dict.fromkeys(_ONE_THREAD, "1"), **own}
