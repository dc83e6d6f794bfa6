"""Frames between the batch and its workers: four bytes of length, then JSON or raw bytes.

Both ends are the grader's own, and no student code holds either, so a message is believed.
"""

import json
import struct
from typing import IO, Any

_LENGTH = struct.Struct(">I")
_PRINTED = 1 << 20  # bytes that a `sitecustomize` may print before the first frame


def send_bytes(stream: IO[bytes], content: bytes) -> None:
    """Write one frame. Raise `OSError` where the other end is gone."""
    stream.write(_LENGTH.pack(len(content)))
    stream.write(content)
    stream.flush()


def receive_bytes(stream: IO[bytes]) -> bytes:
    """Read one frame. Raise `EOFError` where the other end is gone, also in the middle of one."""
    (length,) = _LENGTH.unpack(_read(stream, _LENGTH.size))
    return _read(stream, length)


def skip_to(stream: IO[bytes], mark: bytes) -> None:
    """Read up to and including a mark, past whatever was printed before it. Raise `EOFError` where none comes."""
    window = _read(stream, len(mark))
    for _ in range(_PRINTED):
        if window == mark:
            return
        window = window[1:] + _read(stream, 1)
    raise EOFError


def send(stream: IO[bytes], message: dict[str, Any]) -> None:
    """Write a message; see `send_bytes`."""
    send_bytes(stream, json.dumps(message).encode())


def receive(stream: IO[bytes]) -> dict[str, Any]:
    """Read a message; see `receive_bytes`."""
    return dict(json.loads(receive_bytes(stream)))


def _read(stream: IO[bytes], length: int) -> bytes:
    content = stream.read(length)
    if len(content) < length:
        raise EOFError
    return content
