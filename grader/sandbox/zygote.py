"""The zygote engine (Linux): NumPy is imported once, and each submission gets a fork of that process.

The zygote is a fork server (`child.forkserver`) that knows no answers. Student code under weak isolation may harm it;
when it does not answer, it is replaced, and its successor serves the next submission.

What it buys (measured on 2026-11-30, 40 interleaved rounds on two virtual processors): grading a submission takes 44 ms
of processor time where a fresh interpreter takes 177, and one with a single call 13 where it takes 193. One
person's own run takes as long with either: both import NumPy once.
"""

import contextlib
import json
import socket
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import IO, Any

from grader.errors import SandboxError
from grader.sandbox import folders, handles, interpreter, processes
from grader.sandbox.children import Child, ProcessEnd
from grader.sandbox.engines import ChildEngine
from grader.sandbox.limits import PATIENCE, START, STARTS

# Else each child looks up each function of a library when it first calls it: 1 % of a submission with one call.
_LINKED_AT_ONCE = {"LD_BIND_NOW": "1"}

_TOLD = {"status", "peak", "computed"}  # what the server tells of a child that has ended


class HarmedError(Exception):
    """The fork server is dead or stopped, or talks nonsense."""


@dataclass
class Server:
    """A running fork server."""

    process: "subprocess.Popen[bytes]"
    control: socket.socket
    folder: str  # its own, and that of its children, one after the other
    trouble: IO[bytes]  # takes its traceback when it fails
    tests: Mapping[str, str] | None = None  # the result of its self-test, known when it is ready
    harmed: bool = False  # it answers no more, or an answer to an earlier question may still come
    stopped: bool = False

    def hear(self, patience: float) -> dict[str, Any]:
        """Return its next answer; raise `HarmedError` where none comes in time."""
        try:
            self.control.settimeout(patience)
            return dict(json.loads(self.control.recv(1 << 16)))
        except (OSError, ValueError, TypeError) as error:
            self.harmed = True
            raise HarmedError(self._last_words() or str(error) or "no answer") from error

    def _last_words(self) -> str:
        self.trouble.seek(0)
        lines = self.trouble.read(1 << 16).decode("utf-8", "replace").strip().splitlines()
        return lines[-1][:200] if lines else ""

    def wait_until_ready(self) -> Mapping[str, str]:
        """Return the result of its self-test."""
        if self.tests is None:
            self.tests = self.hear(START)["selftest"]
        return self.tests

    def ask(
        self, request: Mapping[str, Any], wanted: set[str], patience: float, descriptors: tuple[int, ...] = ()
    ) -> dict[str, Any]:
        """Send a request; return the answer, which has the fields that are wanted.

        Raises
        ------
        HarmedError
            If no such answer comes, or none came to an earlier request.
        """
        if self.harmed:
            message = "it did not answer before"
            raise HarmedError(message)
        # Until the answer is here: where Ctrl-C interrupts the waiting, it may come later and be taken for another one.
        self.harmed = True
        try:
            self.control.settimeout(PATIENCE)
            socket.send_fds(self.control, [json.dumps(request).encode()], descriptors)
        except OSError as error:
            raise HarmedError(str(error)) from error
        said = self.hear(patience)
        if not wanted <= said.keys():
            message = "it does not answer what it was asked"
            raise HarmedError(message)
        self.harmed = False
        return said

    def has_ended(self, pid: int) -> bool:
        """Return whether a child has ended. Where the server does not answer, its children end with it."""
        try:
            return bool(self.ask({"do": "look", "pid": pid}, {"ended"}, PATIENCE)["ended"])
        except HarmedError:
            return True

    def end(self, pid: int, grace: float, kill: Callable[[], object] = lambda: None) -> ProcessEnd:
        """End a child and everything below it; return how it ended.

        Where the server does not answer, `kill` ends the child, and then the server is ended with all that it started.
        """
        try:
            said = self.ask({"do": "end", "pid": pid, "grace": grace}, _TOLD, PATIENCE + grace)
        except HarmedError:
            kill()
            self.stop()
            return ProcessEnd(known=False)
        return ProcessEnd(said["status"], said["peak"], said["computed"])

    def clean(self) -> None:
        """Empty the folder for the next child; where that fails, this server is used no more."""
        if not self.stopped and not folders.clear(self.folder):
            self.harmed = True

    def stop(self) -> None:
        """End the server and whatever it left behind; a second time does nothing."""
        if self.stopped:
            return
        try:
            self.control.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                if not self.harmed:
                    self.process.wait(PATIENCE)
            processes.end_group(self.process, 0.0)
            if self.harmed:
                processes.kill_strays(self.folder)
        finally:  # also where Ctrl-C interrupts it; called again, it does all of this again
            self.trouble.close()
            (folders.abandon if self.harmed else folders.remove)(self.folder)
        self.stopped = True


class ZygoteEngine(ChildEngine):
    """Forks a child for each submission from one prepared process."""

    name = "zygote"

    def __init__(self, *, demand: str | None = None, confine: bool = True) -> None:
        super().__init__(demand=demand, confine=confine)
        self._server = self._serve()

    def fresh(self, setup: Mapping[str, Any]) -> Child:
        """Return a fork, after replacing a server that turns out to be harmed."""
        for _ in range(STARTS - 1):
            try:
                return self._fork(setup)
            except HarmedError:
                self.renew()
        try:
            return self._fork(setup)
        except HarmedError as error:
            message = f"the process that starts submissions does not work ({error}); `grade doctor` tells more"
            raise SandboxError(message) from error

    def tests(self, hello: Mapping[str, Any]) -> Mapping[str, str]:  # noqa: ARG002 (the server made them)
        """Return what the server found before it served its first submission."""
        return self._server.tests or {}

    def stop(self) -> None:
        """End the server."""
        self._server.stop()

    def _serve(self) -> Server:
        with contextlib.ExitStack() as undo:
            folder = folders.make()
            undo.callback(folders.remove, folder)
            ours, theirs = map(undo.enter_context, socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET))
            trouble = undo.enter_context(tempfile.TemporaryFile())
            settings = {
                "confine": self.confine,
                "hidden": interpreter.hidden(),
                "control": theirs.fileno(),
                "folder": folder,
            }
            process = subprocess.Popen(
                interpreter.command("forkserver", settings),
                stdin=subprocess.DEVNULL,
                cwd=folder,
                env=interpreter.environment(folder) | _LINKED_AT_ONCE,
                stdout=subprocess.DEVNULL,
                stderr=trouble,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C at the terminal does not reach it: the grader ends it
            )
            undo.pop_all()  # from here on, stopping the server undoes it
        theirs.close()
        return Server(process, ours, folder, trouble)

    def renew(self) -> None:
        """Replace the server."""
        self._server.harmed = True
        self._server.stop()
        self._server = self._serve()

    def _fork(self, setup: Mapping[str, Any]) -> Child:
        server = self._server
        if server.harmed:  # asked before anything is made for the child
            message = "it did not answer before"
            raise HarmedError(message)
        server.wait_until_ready()
        with contextlib.ExitStack() as undo:
            undo.callback(server.clean)
            ours, theirs = map(undo.enter_context, socket.socketpair())
            output, printing = map(undo.enter_context, socket.socketpair())
            request = {"do": "start", "setup": dict(setup)}
            pid = server.ask(request, {"pid"}, PATIENCE, (theirs.fileno(), printing.fileno()))["pid"]
            undo.callback(server.end, pid, 0.0)
            handle = handles.hold(pid, lambda: server.has_ended(pid))
            undo.pop_all()  # from here on, ending the child undoes it
        theirs.close()
        printing.close()

        def end(grace: float) -> ProcessEnd:
            how = server.end(pid, grace, handle.kill)
            handle.close()
            server.clean()
            return how

        return Child(pid, ours, output, server.folder, handle.has_ended, end)
