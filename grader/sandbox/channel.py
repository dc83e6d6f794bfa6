"""The grader's end of the connection to one child: frames with a deadline, and what the child prints.

Two sockets, never blocking: one carries frames both ways, the other all that is written to stdout and stderr. Both
are served together, so that a child that floods one never stalls the other, and no more than a frame is kept.
"""

import selectors
import socket
import time
from collections.abc import Callable, Mapping
from typing import Any

from grader.calls import Opaque, Wrapped
from grader.sandbox.limits import CHUNK, DRAINS, FEW, GATHER, GATHER_MOST, MAX_NAME, MAX_WHY, WATCH
from grader.sandbox.shared import wire

_MAKE: Mapping[str, Callable[[str, Any], Any]] = {
    "opaque": lambda name, why: Opaque(name[:MAX_NAME], str(why)[:MAX_WHY]),
    "wrapped": lambda name, value: Wrapped(name[:MAX_NAME], value),
}


class GoneError(Exception):
    """The child ended, closed the connection, or had to be stopped for what it did beside talking."""


class LateError(Exception):
    """The deadline passed."""


class Printed:
    """The head and the tail of what was printed."""

    def __init__(self, keep: int) -> None:
        self.head, self.tail, self.total, self.half = bytearray(), bytearray(), 0, max(keep // 2, 1)

    def add(self, piece: bytes) -> None:
        """Take a further piece."""
        self.total += len(piece)
        room = self.half - len(self.head)
        self.head += piece[:room]
        self.tail += piece[max(room, 0) :]
        if len(self.tail) > 2 * self.half:
            del self.tail[: -self.half]

    def text(self) -> str:
        """Return both as text, with the number of bytes left out between them."""
        tail = self.tail[-self.half :]
        left_out = self.total - len(self.head) - len(tail)
        gap = f"\n... {left_out} bytes left out ...\n".encode() if left_out else b""
        return (bytes(self.head) + gap + bytes(tail)).decode("utf-8", "replace")


class Channel:
    """Both sockets of one child.

    Parameters
    ----------
    messages, output : socket
        The grader's ends.
    keep : int
        Bytes of output kept.
    watch : callable
        Asked every now and then; a text that it returns ends the waiting as `GoneError`.
    gone : callable
        Whether the process has ended; asked when there is nothing to read.
    """

    def __init__(
        self,
        messages: socket.socket,
        output: socket.socket,
        keep: int,
        watch: Callable[[], str] = lambda: "",
        gone: Callable[[], bool] = lambda: False,
    ) -> None:
        self.messages, self.output, self.watch, self.gone = messages, output, watch, gone
        self.printed = Printed(keep)
        self._arrived = bytearray()
        self.size = 0  # bytes of the last message
        self._selector = selectors.DefaultSelector()
        self._watched = time.monotonic()
        for sock in (messages, output):
            sock.setblocking(False)  # noqa: FBT003 - its only parameter
            self._selector.register(sock, selectors.EVENT_READ)
        self._output_open = True
        self._wanted = selectors.EVENT_READ

    def send(self, frame: bytes, deadline: float) -> None:
        """Send one frame.

        Raises
        ------
        GoneError, LateError
            The child ended, or does not read.
        """
        rest = memoryview(frame)
        while rest:
            try:
                rest = rest[self.messages.send(rest[:CHUNK]) :]
            except BlockingIOError:
                self._wait(deadline, selectors.EVENT_WRITE)
            except OSError as error:
                raise GoneError from error

    def receive(self, deadline: float) -> dict[str, Any]:
        """Wait for the next message.

        Raises
        ------
        GoneError, LateError, WireError
            The child ended; it is silent; it sent something that is not a message.
        """
        start = wire.PREFIX.size
        self._fill(start, deadline)
        head, body = wire.sizes(bytes(self._arrived[:start]))
        end = start + head + body
        self._fill(end, deadline)
        with memoryview(self._arrived) as frame:
            parts = bytes(frame[start : start + head]), bytes(frame[start + head : end])
        del self._arrived[:end]
        self.size = end
        return wire.unpack(*parts, _MAKE)

    def gather(self, expected: int) -> None:
        """Let answers arrive, where several are expected and none has been read yet.

        Only this process's own buffer is looked at: what waits in the socket is not asked for, which would cost a call
        to the system for each answer. With answers there, a short sleep too many is all that this can cost.
        """
        if expected > FEW and not self._arrived:
            time.sleep(min(expected * GATHER, GATHER_MOST))

    def drain(self) -> None:
        """Read what has been printed and not been read yet; never waits."""
        for _ in range(DRAINS):
            if not self._output_open or not self._read_output():
                return

    def close(self) -> None:
        """Close both sockets."""
        self._selector.close()
        self.messages.close()
        self.output.close()

    def _fill(self, size: int, deadline: float) -> None:
        """Wait until so many bytes have arrived."""
        while len(self._arrived) < size:
            if self._wait(deadline):
                try:
                    piece = self.messages.recv(CHUNK)
                except BlockingIOError:
                    continue
                except OSError as error:
                    raise GoneError from error
                if not piece:
                    raise GoneError
                self._arrived += piece

    def _wait(self, deadline: float, wanted: int = selectors.EVENT_READ) -> bool:
        """Serve the output; return whether what is wanted can be done with the message socket."""
        now = time.monotonic()
        if now >= deadline:
            raise LateError
        if now - self._watched >= WATCH:
            self._watched = now
            if trouble := self.watch():
                raise GoneError(trouble)
        if wanted != self._wanted:
            self._selector.modify(self.messages, wanted)
            self._wanted = wanted
        possible = False
        for key, _ in self._selector.select(min(deadline - now, WATCH)):
            if key.fileobj is self.messages:
                possible = True
            else:
                self._read_output()
        if not possible and self.gone():  # what it started may still hold the connection open
            raise GoneError
        return possible

    def _read_output(self) -> bool:
        try:
            piece = self.output.recv(CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            piece = b""
        if piece:
            self.printed.add(piece)
            return True
        self._selector.unregister(self.output)
        self._output_open = False
        return False
