import json
import random
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from grader.sandbox.shared import wire
from grader.sandbox.shared.wire import Special, WireError

MAKE = {"opaque": lambda name, value: Special("opaque", name, value)}

numbers = hnp.arrays(
    st.sampled_from(["?", "i1", "u2", "<i4", ">i8", "f2", "f4", "<f8", ">f8", "c8", "c16"]),
    hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4),
)
leaves = st.one_of(
    st.none(), st.booleans(), st.integers(-(1 << 4000), 1 << 4000), st.floats(), st.complex_numbers(), st.text()
)
messages = st.dictionaries(
    st.text(max_size=5),
    st.recursive(
        leaves | numbers,
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.lists(inner, max_size=4).map(tuple)
            | st.dictionaries(st.text(max_size=5) | st.integers(), inner, max_size=3)
        ),
        max_leaves=12,
    ),
    max_size=4,
)


def split(frame):
    head, body = wire.sizes(frame[: wire.PREFIX.size])
    rest = frame[wire.PREFIX.size :]
    assert len(rest) == head + body
    return rest[:head], rest[head:]


def there_and_back(message):
    return wire.unpack(*split(wire.pack(message)), MAKE)


def read_header(node, body=b""):
    return wire.unpack(json.dumps(node).encode(), body, MAKE)


def array_node(dtype, shape, size):
    return ["d", [["x", ["a", dtype, shape, size]]]]


def assert_same(a, b):
    assert type(a) is type(b)
    if isinstance(a, np.ndarray):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)
        assert a.shape == b.shape
    elif isinstance(a, list | tuple):
        assert len(a) == len(b)
        for x, y in zip(a, b, strict=True):
            assert_same(x, y)
    elif isinstance(a, dict):
        assert list(a) == list(b)
        for key in a:
            assert_same(a[key], b[key])
    else:
        assert repr(a) == repr(b)


@given(messages)
def test_every_plain_message_arrives_as_it_was(message):
    assert_same(there_and_back(message), message)


def test_views_of_any_layout_arrive_with_the_same_numbers():
    a = np.arange(24.0).reshape(2, 3, 4)
    for view in (a.T, a[:, ::-1], a[..., 1:3], np.broadcast_to(a[:1], (5, 3, 4)), np.asfortranarray(a[0])):
        np.testing.assert_array_equal(there_and_back({"x": view})["x"], view)


def test_lone_surrogates_are_replaced():
    assert there_and_back({"short": "a\ud800", "long": "\udfff" * 1000}) == {"short": "a?", "long": "?" * 1000}


def test_marks_become_what_the_reader_makes_of_them_and_unknown_marks_are_refused():
    assert there_and_back({"x": Special("opaque", "set", "why")})["x"] == Special("opaque", "set", "why")
    with pytest.raises(WireError):
        there_and_back({"x": Special("pickle", "set")})


@pytest.mark.parametrize(
    "value",
    [
        object(),
        {1, 2},
        bytearray(b"bytes"),
        1 << 5000,
        type("Sub", (float,), {})(1.0),
        type("Sub", (list,), {})([1]),
        np.float64(1.0),
        np.array(["text"]),
        np.array([None]),
        np.zeros(2, dtype=[("a", "f8")]),
        np.zeros(2, np.longdouble),
        np.zeros(2, np.clongdouble),
        np.zeros(2, "M8[s]"),
        np.zeros((1, 1)).view(np.matrix),
        np.ma.array([1.0]),
        np.broadcast_to(1.0, (1 << 40,)),
        np.zeros((1,) * 40),
        [0] * (wire.MAX_NODES + 1),
        range(3),
    ],
    ids=lambda value: type(value).__name__,
)
def test_nothing_but_exact_plain_types_can_be_sent(value):
    with pytest.raises(WireError):
        wire.pack({"x": value})


def test_values_nested_too_deep_can_be_neither_sent_nor_read():
    deep, node = [], ["l", []]
    for _ in range(wire.MAX_DEPTH):
        deep, node = [deep], ["l", [node]]
    with pytest.raises(WireError):
        wire.pack({"x": deep})
    with pytest.raises(WireError):
        read_header(["d", [["x", node]]])


@pytest.mark.parametrize(
    "prefix",
    [struct.pack("<IQ", 2**32 - 1, 2**63), struct.pack("<IQ", wire.MAX_HEAD + 1, 0), struct.pack("<IQ", 1, 1 << 62)],
)
def test_sizes_over_the_caps_are_refused_before_anything_is_read(prefix):
    with pytest.raises(WireError):
        wire.sizes(prefix)


@pytest.mark.parametrize(
    "node",
    [
        array_node("|O", [1], 8),
        array_node("O", [1], 8),
        array_node("<f8" * 5000, [1], 8),
        array_node("<U4", [2], 32),
        array_node("<M8[s]", [2], 16),
        array_node("<f8,<f8", [1], 16),
        array_node("<f99", [1], 99),
        array_node("<f16", [1], 16),
        array_node("<c32", [1], 32),
        array_node("<f8", [-1], -8),
        array_node("<f8", [-1, -1], 8),
        array_node("<f8", [1 << 62, 4], 0),
        array_node("<f8", [0, 1 << 70], 0),
        array_node("<f8", [0, 1 << 40, 1 << 40], 0),
        array_node("<f8", [1] * 40, 8),
        array_node("<f8", [True], 8),
        array_node("<f8", [1.0], 8),
        array_node("<f8", "1", 8),
        array_node("<f8", [3], 24),
        array_node("<f8", [1], 8.0),
        array_node("<f8", [1], True),
    ],
    ids=repr,
)
def test_arrays_that_are_not_what_they_say_are_refused(node):
    with pytest.raises(WireError):
        read_header(node, b"\0" * 16)


@pytest.mark.parametrize(
    "node",
    [
        [],
        ["d"],
        ["d", [["x"]]],
        ["d", [[["l", []], 1]]],
        ["x", 1],
        ["c", 1, 2],
        ["b", -1],
        ["b", 1 << 80],
        ["s", "opaque"],
        ["s", 1, "x", None],
        {"object": ["unknown"]},
        1,
        None,
        "text",
        ["l", [1]],
    ],
    ids=repr,
)
def test_malformed_nodes_are_refused(node):
    with pytest.raises(WireError):
        read_header(node)


@pytest.mark.parametrize(
    "head", [b"", b"\xff\xfe", b"[" * 100_000, b"1" * 9999, b'["d",[["x",' + b"9" * 5000 + b"]]]", b"{", b"nan"]
)
def test_headers_that_are_not_json_are_refused(head):
    with pytest.raises(WireError):
        wire.unpack(head, b"", MAKE)


def specimens():
    rng = np.random.default_rng(1)
    yield wire.pack({"seq": 5, "ended": "returned", "value": (rng.random((3, 4)), [1, 2.5, None]), "seconds": 0.5})
    yield wire.pack({"seq": 1 << 55, "ended": "raised", "error": {"type": "ValueError", "message": "é" * 600}})
    yield wire.pack({"a": np.zeros((0, 3), "c8"), "b": {1: np.int8([1]), 2: (True, 1j)}, "c": Special("opaque", "x")})
    yield wire.pack({"warnings": ["text"] * 5, "echo": (np.arange(6, dtype=">i4").reshape(2, 3), "s", [[]])})


def mutate(random, frame):
    head, body = (bytearray(part) for part in split(frame))
    for _ in range(random.choice((1, 1, 2, 5))):
        at = random.randrange(len(head))
        match random.randrange(6):
            case 0:
                head[at] = random.randrange(256)
            case 1:
                head[at : at + 1] = random.choice((b"9", b"-1", b"[", b"]", b'"', b"1e999", b"null", b"true", b"NaN"))
            case 2:
                del head[at : at + random.randrange(1, 8)]
            case 3:
                other = random.randrange(len(head))
                head[at:at] = head[other : other + random.randrange(1, 20)]
            case 4:
                head[at:at] = bytes(random.choice(b'0123456789,[]"adltcsb<f') for _ in range(random.randrange(1, 5)))
            case 5:
                del body[random.randrange(len(body) + 1) :]
        head = head or bytearray(b"0")
    return bytes(head), bytes(body)


def fuzz(count, seed):
    chance = random.Random(seed)
    frames = list(specimens())
    refused = 0
    for _ in range(count):
        try:
            message = wire.unpack(*mutate(chance, chance.choice(frames)), MAKE)
        except WireError:
            refused += 1
        else:
            assert type(message) is dict
    return refused


def test_mutated_frames_raise_nothing_but_wire_errors():
    assert 1000 < fuzz(4000, seed=3) < 4000


@pytest.mark.slow
def test_a_million_mutated_frames_raise_nothing_but_wire_errors():
    assert fuzz(1_000_000, seed=4) > 500_000


def test_a_frame_can_travel_within_a_frame():
    inner = wire.pack({"calls": [{"args": (np.arange(3.0),)}]})
    frame = wire.pack({"seqs": [1], "calls": inner})
    head, _ = wire.sizes(frame[: wire.PREFIX.size])
    start = wire.PREFIX.size
    assert wire.unpack(frame[start : start + head], frame[start + head :], {})["calls"] == inner
