"""The grader's end of the connection to one child: frames within a time, and the output of the child.

There are two sockets, neither of which blocks. One carries frames both ways, the other everything that is written to
stdout and stderr. Both are served together, so that a child which floods one of them never stalls the other. No more
than one frame is held at a time.
"""

import selectors
import socket
import time
from collections.abc import Callable, Mapping
from typing import Any

from grader.calls import Opaque, Wrapped
from grader.sandbox.clock import Allowance
from grader.sandbox.limits import CHUNK, DRAINS, FEW, GATHER, GATHER_MOST, LINGER, MAX_NAME, MAX_WHY, WATCH
from grader.sandbox.shared import wire

_MAKE: Mapping[str, Callable[[str, Any], Any]] = {
    "opaque": lambda name, why: Opaque(name[:MAX_NAME], str(why)[:MAX_WHY]),
    "wrapped": lambda name, value: Wrapped(name[:MAX_NAME], value),
}


class GoneError(Exception):
    """The child ended or closed the connection, or has to be stopped for something that it does meanwhile."""


class Printed:
    """The head and the tail of a child's output: the first error and the last one are what a reader looks for."""

    def __init__(self, keep: int) -> None:
        self.head, self.tail, self.total, self.half = bytearray(), bytearray(), 0, max(keep // 2, 1)

    def add(self, piece: bytes) -> None:
        """Take a further piece of the output."""
        self.total += len(piece)
        room = self.half - len(self.head)
        self.head += piece[:room]
        self.tail += piece[max(room, 0) :]
        if len(self.tail) > 2 * self.half:  # cut seldom: a child may print 200 MB, and each cut copies the tail
            del self.tail[: -self.half]

    def text(self) -> str:
        """Return head and tail as one string, with the number of bytes left out between them."""
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
        Bytes of output that are kept.
    watch : callable
        Is asked every `WATCH` seconds while a message is waited for; a string that it returns ends the waiting as
        `GoneError`.
    gone : callable
        Tells whether the process has ended; is asked when there is nothing to read.
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
        self.size = 0  # bytes of the last message that was received
        self._selector = selectors.DefaultSelector()
        self._watched = time.monotonic()
        self._in_time = 0  # reads and writes that were possible although the time had passed
        for sock in (messages, output):
            sock.setblocking(False)  # noqa: FBT003 (the only parameter of that method)
            self._selector.register(sock, selectors.EVENT_READ)
        self._output_open = True
        self._wanted = selectors.EVENT_READ

    def send(self, frame: bytes, allowance: Allowance) -> None:
        """Send one frame.

        Raises
        ------
        GoneError
            If the child ended.
        LateError, StalledError
            If the child did not read the whole frame in its time.
        """
        self._in_time = 0
        rest = memoryview(frame)
        while rest:
            try:
                rest = rest[self.messages.send(rest[:CHUNK]) :]
            except BlockingIOError:
                self._wait(allowance, selectors.EVENT_WRITE)
            except OSError as error:
                raise GoneError from error

    def receive(self, allowance: Allowance) -> dict[str, Any]:
        """Return the next message.

        Raises
        ------
        GoneError
            If the child ended.
        LateError, StalledError
            If no whole message came in its time: one that arrives byte by byte is late, too.
        WireError
            If the child sent something that is not a message.
        """
        self._in_time = 0
        start = wire.PREFIX.size
        self._fill(start, allowance)
        head, body = wire.sizes(bytes(self._arrived[:start]))  # before more is read: it may announce 2^63 bytes
        end = start + head + body
        self._fill(end, allowance)
        with memoryview(self._arrived) as frame:  # a slice of the buffer itself would copy 64 MiB once more
            parts = bytes(frame[start : start + head]), bytes(frame[start + head : end])
        del self._arrived[:end]
        self.size = end
        return wire.unpack(*parts, _MAKE)

    def gather(self, expected: int) -> None:
        """Sleep for a moment where several answers are expected and none has arrived.

        To ask the socket first would cost one system call for each answer. So only this process's own buffer is looked
        at, and where answers wait in the socket already, the sleep is one too many.
        """
        if expected > FEW and not self._arrived:
            time.sleep(min(expected * GATHER, GATHER_MOST))

    def drain(self) -> None:
        """Read output that has not been read yet, without waiting for more."""
        for _ in range(DRAINS):
            if not self._output_open or not self._read_output():
                return

    def close(self) -> None:
        """Close both sockets."""
        self._selector.close()
        self.messages.close()
        self.output.close()

    def _fill(self, size: int, allowance: Allowance) -> None:
        """Read until so many bytes have arrived."""
        while len(self._arrived) < size:
            if self._wait(allowance):
                try:
                    piece = self.messages.recv(CHUNK)
                except BlockingIOError:
                    continue
                except OSError as error:
                    raise GoneError from error
                if not piece:
                    raise GoneError
                self._arrived += piece

    def _wait(self, allowance: Allowance, wanted: int = selectors.EVENT_READ) -> bool:
        """Wait for either socket and read the output; return whether the message socket is ready for what is wanted."""
        if not allowance.waited:
            allowance.wait()
        now = time.monotonic()
        if now - self._watched >= WATCH:
            self._watched = now
            allowance.look(now)
            if trouble := self.watch():
                raise GoneError(trouble)
        if wanted != self._wanted:
            self._selector.modify(self.messages, wanted)
            self._wanted = wanted
        late = now >= allowance.deadline
        possible = self._select(0.0 if late else min(allowance.deadline - now, WATCH))
        if not possible and self.gone():
            possible = self._linger()
            if not possible:  # a process that the child started holds the connection open
                raise GoneError
        if late:
            # The grader may have been stopped itself: an answer that lies in the socket came in time. But a child that
            # sends byte by byte must not get on for ever.
            self._in_time += possible
            if not possible or self._in_time > DRAINS:
                allowance.extend(now)
        return possible

    def _select(self, seconds: float) -> bool:
        """Wait so long for either socket and read the output; return whether the message socket is ready."""
        possible = False
        for key, _ in self._selector.select(seconds):
            if key.fileobj is self.messages:
                possible = True
            else:
                self._read_output()
        return possible

    def _linger(self) -> bool:
        """Return whether the message socket of a child that is gone becomes ready, with its last answers or its end.

        The child may have answered, and then have been ended by its next function, between two looks at the socket. An
        answer that was on its way is an answer.
        """
        until = time.monotonic() + LINGER
        while not (possible := self._select(max(until - time.monotonic(), 0.0))) and time.monotonic() < until:
            pass
        return possible

    def _read_output(self) -> bool:
        """Read one piece of the output; return whether there was one. A closed output is watched no more."""
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
