"""One child and the conversation with it: its setup, its hello, then whatever the runner asks."""

import os
import time
from collections.abc import Mapping
from typing import Any

from grader.calls import Limits
from grader.errors import SandboxError
from grader.sandbox import interpreter
from grader.sandbox.activity import is_ending
from grader.sandbox.channel import Channel, GoneError
from grader.sandbox.children import Child, ProcessEnd, UnreadyError
from grader.sandbox.clock import Allowance, LateError, processor_limit
from grader.sandbox.limits import DYING, FAREWELL, FILE, HELLO, PAUSE, SHOWN_WORDS
from grader.sandbox.replies import ReplyReader, tidy
from grader.sandbox.shared import wire
from grader.sandbox.shared.wire import WireError
from grader.sandbox.watch import Watch

_WIDE = 7  # bytes of a sequence number: nobody guesses it, and JSON numbers of that size are exact everywhere


def draw_numbers(count: int) -> list[int]:
    """Return sequence numbers that nobody guesses. One draw for all: a call to the system costs as much as a reply."""
    drawn = os.urandom(_WIDE * count)
    return [int.from_bytes(drawn[at : at + _WIDE]) for at in range(0, len(drawn), _WIDE)]


def draw_number() -> int:
    """Return one sequence number that nobody guesses."""
    return draw_numbers(1)[0]


def make_setup(limits: Limits, *, selftest: bool) -> dict[str, Any]:
    """Return what a child has to know before it confines itself; with `selftest` it also tries out what holds."""
    return {
        "seq": draw_number(),
        "memory": limits.memory,
        "cpu": processor_limit(limits),
        "file_size": FILE,
        "selftest": selftest,
    }


class Session:
    """One submission's child, which can be asked once it has said hello.

    Parameters
    ----------
    child : Child
        Just started, and given its setup.
    limits : Limits
        Those of the submission.
    seq : int
        The number of the setup, which the hello answers.
    """

    def __init__(self, child: Child, limits: Limits, seq: int) -> None:
        self.child, self._seq = child, seq
        self.watch = Watch(child.pid, child.folder)
        self.channel = Channel(child.messages, child.output, limits.output, self._watch, child.gone)
        self.reader = ReplyReader(limits.memory, {child.folder: "."} | interpreter.shown_paths())
        self.end: ProcessEnd | None = None
        self.hello: Mapping[str, Any] = {}

    def greet(self) -> None:
        """Wait for the child's hello.

        It comes before the child has seen any student code, so nobody can forge it.

        Raises
        ------
        UnreadyError
            If the child ended or does not answer: no student code can be the cause.
        """
        try:
            hello = self.receive(self._seq, Allowance(HELLO))
        except (GoneError, LateError, WireError) as error:
            end = self.close(FAREWELL)
            what = "did not answer" if isinstance(error, LateError) else f"ended before it was ready ({end})"
            message = f"the process that runs submissions {what}; it said: {self.printed()[-SHOWN_WORDS:] or 'nothing'}"
            raise UnreadyError(message) from error
        self.hello = {key: value for key, value in hello.items() if key != "seq"}

    def _watch(self) -> str:
        """Return why the child has to be stopped; empty if it need not."""
        trouble = self.watch.look()
        return trouble.what if trouble else ""

    def send(self, message: Mapping[str, Any], allowance: Allowance) -> None:
        """Send a message; raise what `Channel.send` raises, and `SandboxError` if it does not fit into a frame."""
        try:
            frame = wire.pack(message)
        except WireError as error:
            reason = f"what a submission should be asked cannot be sent: {error}"
            raise SandboxError(reason) from error
        self.channel.send(frame, allowance)

    def receive(self, seq: int, allowance: Allowance) -> dict[str, Any]:
        """Return the answer to `seq`; raise what `Channel.receive` raises."""
        told = self.channel.receive(allowance)
        if told.get("seq") != seq:  # sent before it was asked, or sent twice
            message = "an answer to something else"
            raise WireError(message)
        return told

    def printed(self) -> str:
        """Return head and tail of the child's output, without paths of this machine."""
        return tidy(self.channel.printed.text(), self.reader.paths)

    def close(self, grace: float = 0.0) -> ProcessEnd:
        """End the child and everything that it started; return how it ended. A second time does nothing.

        Parameters
        ----------
        grace : float
            Seconds that the child has to end by itself; one that is on its way out is given longer.
        """
        if self.end is None:
            self.channel.drain()  # before, too: a child whose output nobody reads cannot end by itself
            self._let_end(grace)
            self.end = self.child.end(0.0)
            self.channel.drain()
            self.channel.close()
        return self.end

    def _let_end(self, grace: float) -> None:
        """Wait until the child has ended by itself, as long as it makes sense.

        Killed before that, it would leave no exit status, and nobody could tell whose fault its end was: on a busy
        machine it may take seconds to get the processor once more.
        """
        began = time.monotonic()
        while not self.child.gone():
            passed = time.monotonic() - began
            if passed >= grace and (passed >= DYING or not (grace and is_ending(self.child.pid))):
                break
            time.sleep(PAUSE)
