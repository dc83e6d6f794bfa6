import socket
import threading

import numpy as np
import pytest

from grader.calls import Opaque, Wrapped
from grader.sandbox.channel import Channel, GoneError, Printed
from grader.sandbox.clock import Allowance, LateError
from grader.sandbox.shared import wire
from grader.sandbox.shared.wire import Special, WireError


class Peer:
    """The other ends of both sockets."""

    def __init__(self, **fields):
        ours, self.messages = socket.socketpair()
        output, self.output = socket.socketpair()
        self.channel = Channel(ours, output, fields.pop("keep", 100), **fields)


@pytest.fixture
def peer(request):
    made = Peer(**getattr(request, "param", {}))
    yield made
    made.channel.close()
    made.messages.close()
    made.output.close()


def soon(seconds=5.0):
    return Allowance(seconds)


def test_head_and_tail_of_the_output_are_kept_with_the_gap_between_them():
    printed = Printed(10)
    for piece in (b"abc", b"defgh", b"i" * 1000, b"xyz"):
        printed.add(piece)
    assert printed.text() == "abcde\n... 1001 bytes left out ...\niixyz"
    short = Printed(10)
    short.add(b"1234567")
    assert short.text() == "1234567"


def test_a_message_that_comes_byte_by_byte_is_read(peer):
    frame = wire.pack({"seq": 1, "value": np.arange(3.0)})

    def trickle():
        for i in range(len(frame)):
            peer.messages.send(frame[i : i + 1])

    thread = threading.Thread(target=trickle)
    thread.start()
    np.testing.assert_array_equal(peer.channel.receive(soon())["value"], np.arange(3.0))
    thread.join()


def test_two_messages_in_one_piece_are_two_messages(peer):
    peer.messages.send(wire.pack({"seq": 1}) + wire.pack({"seq": 2}))
    assert [peer.channel.receive(soon())["seq"] for _ in range(2)] == [1, 2]


def test_a_large_message_is_sent_while_the_other_side_prints(peer):
    big = bytes(4 << 20)
    got = []

    def other_side():
        peer.output.sendall(b"p" * (2 << 20))
        total = len(big)
        while total:
            total -= len(peer.messages.recv(1 << 20))
        got.append(True)

    thread = threading.Thread(target=other_side)
    thread.start()
    peer.channel.send(big, soon())
    thread.join(5)
    assert got == [True]
    peer.channel.drain()
    assert peer.channel.printed.total == 2 << 20


def test_marks_arrive_as_records(peer):
    peer.messages.send(wire.pack({"a": Special("opaque", "set", "no"), "b": Special("wrapped", "numpy.matrix", [1])}))
    assert peer.channel.receive(soon()) == {"a": Opaque("set", "no"), "b": Wrapped("numpy.matrix", [1])}


def test_silence_ends_at_the_deadline(peer):
    with pytest.raises(LateError):
        peer.channel.receive(soon(0.05))
    peer.messages.send(wire.pack({"seq": 1})[:-1])
    with pytest.raises(LateError):
        peer.channel.receive(soon(0.05))


def test_a_reader_that_never_reads_ends_at_the_deadline(peer):
    with pytest.raises(LateError):
        peer.channel.send(bytes(8 << 20), soon(0.1))


def test_a_closed_connection_is_told(peer):
    peer.messages.close()
    with pytest.raises(GoneError):
        peer.channel.receive(soon())
    with pytest.raises(GoneError):
        peer.channel.send(b"x", soon())


def test_closed_output_does_not_end_the_conversation(peer):
    peer.output.close()
    peer.messages.send(wire.pack({"seq": 1}))
    assert peer.channel.receive(soon()) == {"seq": 1}
    peer.channel.drain()


def test_nonsense_is_a_wire_error(peer):
    peer.messages.send(b"\xff" * 100)
    with pytest.raises(WireError):
        peer.channel.receive(soon())


@pytest.mark.parametrize("peer", [{"watch": lambda: "it wrote too much"}], indirect=True)
def test_what_the_watch_says_ends_the_waiting(peer):
    with pytest.raises(GoneError, match="it wrote too much"):
        peer.channel.receive(soon())


@pytest.mark.parametrize("peer", [{"gone": lambda: True}], indirect=True)
def test_what_was_sent_before_the_end_is_read_first(peer):
    peer.messages.send(wire.pack({"seq": 1}))
    assert peer.channel.receive(soon()) == {"seq": 1}
    with pytest.raises(GoneError):
        peer.channel.receive(soon())
