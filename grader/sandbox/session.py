"""One child and the conversation with it: setup, hello, then whatever the runner asks."""

import os
import time
from collections.abc import Mapping
from typing import Any

from grader.calls import Limits, Program
from grader.errors import SandboxError
from grader.sandbox import interpreter
from grader.sandbox.answers import Reader, tidy
from grader.sandbox.channel import Channel, GoneError, LateError
from grader.sandbox.children import Child, Ending
from grader.sandbox.limits import FAREWELL, FILE, HELLO, SHOWN_WORDS
from grader.sandbox.shared import wire
from grader.sandbox.shared.wire import WireError
from grader.sandbox.watch import Watch

_WIDE = 7  # bytes of a sequence number: JSON numbers of that size are exact everywhere


def numbers(count: int) -> list[int]:
    """Return sequence numbers that nobody guesses."""
    drawn = os.urandom(_WIDE * count)
    return [int.from_bytes(drawn[at : at + _WIDE]) for at in range(0, len(drawn), _WIDE)]


def number() -> int:
    """Return one sequence number that nobody guesses."""
    return numbers(1)[0]


def make_setup(limits: Limits, *, selftest: bool) -> dict[str, Any]:
    """Return what a child has to know before it confines itself; `selftest`: whether it tries out first what holds."""
    cpu = int(limits.submission + limits.load) + 5
    return {"seq": number(), "memory": limits.memory, "cpu": cpu, "file_size": FILE, "selftest": selftest}


class Session:
    """One submission's child; once it has said hello, it is ready to be asked.

    Parameters
    ----------
    child : Child
        Just started, with its setup.
    program, limits
        What it will run, and for how long.
    seq : int
        The number of its setup, which its hello answers.
    """

    def __init__(self, child: Child, program: Program, limits: Limits, seq: int) -> None:
        self.child, self.program, self.limits, self._seq = child, program, limits, seq
        self.watch = Watch(child.pid, child.folder)
        self.channel = Channel(child.messages, child.output, limits.output, self._watch, child.gone)
        self.reader = Reader(limits.memory, {child.folder: "."} | interpreter.shown_paths())
        self.ending: Ending | None = None
        self.hello: Mapping[str, Any] = {}

    def greet(self) -> None:
        """Wait for the child's hello.

        Raises
        ------
        SandboxError
            The child ended, or does not answer.
        """
        try:
            hello = self.receive(self._seq, time.monotonic() + HELLO)
        except (GoneError, LateError, WireError) as error:
            ending = self.close(FAREWELL)
            what = "did not answer" if isinstance(error, LateError) else f"ended before it was ready ({ending})"
            msg = f"the process that runs submissions {what}; it said: {self.printed()[-SHOWN_WORDS:] or 'nothing'}"
            raise SandboxError(msg) from error
        self.hello = {key: value for key, value in hello.items() if key != "seq"}

    def _watch(self) -> str:
        trouble = self.watch.look()
        return trouble.what if trouble else ""

    def send(self, message: Mapping[str, Any], deadline: float) -> None:
        """Send a message; errors as of `Channel.send`, and `SandboxError` if it does not fit into a frame."""
        try:
            frame = wire.pack(message)
        except WireError as error:
            msg = f"what a submission should be asked cannot be sent: {error}"
            raise SandboxError(msg) from error
        self.channel.send(frame, deadline)

    def receive(self, seq: int, deadline: float) -> dict[str, Any]:
        """Wait for the answer to `seq`; errors as of `Channel.receive`."""
        message = self.channel.receive(deadline)
        if message.get("seq") != seq:
            msg = "an answer to something else"
            raise WireError(msg)
        return message

    def printed(self) -> str:
        """Return the head and tail of what the code printed, without paths of this machine."""
        return tidy(self.channel.printed.text(), self.reader.paths)

    def close(self, grace: float = 0.0) -> Ending:
        """End the child and all it started."""
        if self.ending is None:
            self.channel.drain()
            self.ending = self.child.end(grace)
            self.channel.drain()
            self.channel.close()
        return self.ending
