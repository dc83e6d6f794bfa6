"""The spawn engine: a fresh interpreter for each submission. It runs everywhere, and takes longer than the zygote."""

import contextlib
import socket
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from grader.sandbox import folders, interpreter, processes
from grader.sandbox.children import Child, ProcessEnd
from grader.sandbox.engines import ChildEngine


class SpawnEngine(ChildEngine):
    """Starts an interpreter for each submission, the next one while the present one is busy."""

    name = "spawn"

    def __init__(self, *, demand: str | None = None, confine: bool = True) -> None:
        super().__init__(demand=demand, confine=confine)
        self._used = 0
        self._spare: Child | None = self._start()

    def fresh(self, setup: Mapping[str, Any]) -> Child:
        """Return the child that was started ahead; from the second one on, start the next."""
        from grader.sandbox.shared import wire  # imports NumPy

        child, self._spare = self._spare or self._start(), None
        self._used += 1
        try:
            with contextlib.suppress(OSError):  # a child that has ended is noticed when no hello comes
                child.messages.sendall(wire.pack(setup))
            # A second child means a batch or a crash, and so a third. One person's own run needs one child only.
            if self._used > 1:
                self._spare = self._start()
        except BaseException:
            child.discard()
            raise
        return child

    def tests(self, hello: Mapping[str, Any]) -> Mapping[str, str]:
        """Return what the first child found before it confined itself."""
        found: Mapping[str, str] = hello["isolation"].get("selftest") or {}
        return found

    def renew(self) -> None:
        """End the child that was started ahead."""
        self.stop()

    def stop(self) -> None:
        """End the child that was started ahead."""
        if self._spare is not None:
            self._spare.discard()
            self._spare = None

    def _start(self) -> Child:
        with contextlib.ExitStack() as undo:
            folder = folders.make()
            undo.callback(folders.remove, folder)
            ours, theirs = map(undo.enter_context, socket.socketpair())
            output, printing = map(undo.enter_context, socket.socketpair())
            process = self._popen(folder, theirs, printing)
            undo.pop_all()  # from here on, ending the child undoes it
        theirs.close()
        printing.close()

        def end(grace: float) -> ProcessEnd:
            how = processes.end_group(process, grace)
            if not (self.report and self.report["seccomp"]):
                processes.kill_strays(folder)
            folders.remove(folder)
            return how

        return Child(process.pid, ours, output, folder, lambda: processes.has_ended(process), end)

    def _popen(self, folder: str, theirs: socket.socket, printing: socket.socket) -> "subprocess.Popen[bytes]":
        settings = {"confine": self.confine, "hidden": interpreter.hidden(), "connection": theirs.fileno()}
        if sys.platform == "win32":
            from grader.sandbox.shared import windows

            environment = interpreter.environment(folder)
            return windows.popen(interpreter.command("worker", settings), folder, environment, theirs, printing)
        return subprocess.Popen(
            interpreter.command("worker", settings),
            stdin=subprocess.DEVNULL,
            stdout=printing.fileno(),
            stderr=printing.fileno(),
            cwd=folder,
            env=interpreter.environment(folder),
            pass_fds=[theirs.fileno()],
            start_new_session=True,  # a group that can be killed as one; Ctrl-C at the terminal does not reach it
        )
