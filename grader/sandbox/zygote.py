"""The zygote engine (Linux): NumPy is imported once, each submission gets a fork of that process.

The zygote is a fork server that knows no answers. It may be harmed by what it forked: when it does not answer, it is
replaced, and the next submission is graded by its successor.
"""

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import IO, Any

from grader.errors import SandboxError
from grader.sandbox import folders, interpreter, processes
from grader.sandbox.engines import Child, ChildEngine, Ending

START = 30.0  # seconds for the interpreter, NumPy and the self-test; on a busy machine this is long
PATIENCE = 3.0  # seconds for any answer


class HarmedError(Exception):
    """The fork server is dead, stopped or talks nonsense."""


@dataclass
class Server:
    """A running fork server."""

    process: "subprocess.Popen[bytes]"
    control: socket.socket
    folder: str
    trouble: IO[bytes]  # what it writes when it fails
    tests: Mapping[str, str] | None = None  # known when it is ready
    made: int = 0  # folders of children so far
    harmed: bool = field(default=False)

    def hear(self, patience: float) -> dict[str, Any]:
        """Wait for an answer."""
        self.control.settimeout(patience)
        try:
            said = json.loads(self.control.recv(1 << 16))
        except (OSError, ValueError) as error:
            self.harmed = True
            raise HarmedError(self._last_words() or str(error) or "no answer") from error
        return dict(said)

    def _last_words(self) -> str:
        self.trouble.seek(0)
        lines = self.trouble.read(1 << 16).decode("utf-8", "replace").strip().splitlines()
        return lines[-1][:200] if lines else ""

    def wait_until_ready(self) -> Mapping[str, str]:
        """Return what came of its self-test."""
        if self.tests is None:
            self.tests = self.hear(START)["selftest"]
        return self.tests

    def ask(self, message: Mapping[str, Any], patience: float, descriptors: tuple[int, ...] = ()) -> dict[str, Any]:
        """Send a request, return the answer."""
        self.control.settimeout(PATIENCE)
        try:
            socket.send_fds(self.control, [json.dumps(message).encode()], descriptors)
        except OSError as error:
            self.harmed = True
            raise HarmedError(str(error)) from error
        return self.hear(patience)

    def stop(self) -> None:
        """End it, and whatever it left behind."""
        self.control.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            if not self.harmed:
                self.process.wait(PATIENCE)
        processes.end_group(self.process, 0.0)
        if self.harmed:
            processes.kill_strays(self.folder)
        self.trouble.close()
        folders.wipe(self.folder)


class ZygoteEngine(ChildEngine):
    """Forks a child for each submission from one prepared process."""

    name = "zygote"

    def __init__(self, *, demand: str | None = None, confine: bool = True) -> None:
        super().__init__(demand=demand, confine=confine)
        self._server = self._serve()

    def fresh(self) -> Child:
        """Return a fork; a harmed server is replaced first."""
        try:
            return self._fork()
        except HarmedError:
            self._replace()
        try:
            return self._fork()
        except HarmedError as error:
            msg = f"the process that starts submissions does not work ({error}); `grade doctor` tells more"
            raise SandboxError(msg) from error

    def tests(self, hello: Mapping[str, Any]) -> Mapping[str, str]:  # noqa: ARG002 - the server made them
        """Return what the server found before it took its first submission."""
        return self._server.tests or {}

    def stop(self) -> None:
        """End the server."""
        self._server.stop()

    def processes(self) -> set[int]:
        """Return the server."""
        return {self._server.process.pid}

    def _serve(self) -> Server:
        folder = folders.make()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        settings = {
            "confine": self.confine,
            "hidden": interpreter.hidden(),
            "control": theirs.fileno(),
            "folder": folder,
        }
        trouble = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the server
        with theirs:
            process = subprocess.Popen(
                interpreter.command("forkserver", settings),
                stdin=subprocess.DEVNULL,
                cwd=folder,
                env=interpreter.environment(folder),
                stdout=subprocess.DEVNULL,
                stderr=trouble,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        return Server(process, ours, folder, trouble)

    def _replace(self) -> None:
        self._server.harmed = True
        self._server.stop()
        self._server = self._serve()

    def _fork(self) -> Child:
        server = self._server
        server.wait_until_ready()
        server.made += 1
        folder = f"{server.folder}/{server.made}"
        os.mkdir(folder, 0o700)  # noqa: PTH102
        ours, theirs = socket.socketpair()
        output, printing = socket.socketpair()
        try:
            with theirs, printing:
                request = {"do": "start", "folder": folder}
                pid = int(server.ask(request, PATIENCE, (theirs.fileno(), printing.fileno()))["pid"])
            handle = os.pidfd_open(pid)
        except BaseException:
            ours.close()
            output.close()
            raise

        def end(grace: float) -> Ending:
            try:
                said = server.ask({"do": "end", "pid": pid, "grace": grace}, PATIENCE + grace)
                ending = Ending(said["status"], said["peak"])
            except HarmedError:
                with contextlib.suppress(ProcessLookupError):
                    signal.pidfd_send_signal(handle, signal.SIGKILL)
                self._replace()
                ending = Ending()
            os.close(handle)
            folders.clear(server.folder)
            return ending

        return Child(pid, ours, output, folder, lambda: bool(select.select([handle], [], [], 0)[0]), end)
