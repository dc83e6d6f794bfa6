"""The answer key as a file: one `.npz` with flat number buffers, a JSON header and a label, no pickle.

A header says where in the buffers each array lies; equal arrays are stored once. What the known mistakes give has a
header and buffers of its own, which are read when something is wrong and a name is looked for. A student's own run
loads the file of the public seed, `grader/public_key.npz`, and evaluates no reference.

No pickle: loading one runs what is written in it, and this file travels to students and to workers.
"""

import io
import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from grader.calls import Call, Ref, Smooth
from grader.exercises.probe import Array, Probe, Tolerance
from grader.key.answer_key import Answer, AnswerKey
from grader.key.label import damaged, read_label, unreadable, write_label

_NAMES = ("checks", "when_wrong")  # fields of a probe that are tuples of strings
# All further fields, which JSON takes as they are.
_PLAIN = tuple(name for name in Probe._fields if name not in ("call", "tolerances", *_NAMES))
_KINDS = {"f": "float64", "i": "int64", "b": "bool"}
_RIGHT, _WRONG = "right", "wrong"  # the two parts of the archive


class _Store:
    """Flat buffers by dtype, in which an array is `[dtype, offset, *shape]`.

    With a member of the archive for each of the 7400 arrays of the mistakes, reading them takes 1.3 s, not 11 ms,
    and the file is four times as large.
    """

    def __init__(self) -> None:
        self.parts: dict[str, list[Array]] = {kind: [] for kind in _KINDS}
        self.length = dict.fromkeys(_KINDS, 0)
        self.known: dict[tuple[Any, ...], list[Any]] = {}

    def put(self, array: Array) -> list[Any]:
        kind = array.dtype.kind
        if kind not in _KINDS:
            kind, array = "f", array.astype(np.float64)
        flat = np.ascontiguousarray(array, dtype=_KINDS[kind]).reshape(-1)
        name = (kind, array.shape, flat.tobytes())
        if name not in self.known:
            self.known[name] = [kind, self.length[kind], *array.shape]
            self.parts[kind].append(flat)
            self.length[kind] += flat.size
        return self.known[name]

    def members(self, part: str, header: Any) -> dict[str, Array]:
        """Return what goes into the archive for one part of the key: its header and its buffers."""
        text = json.dumps(header, separators=(",", ":")).encode()
        buffers = {
            f"{part}_{kind}": np.concatenate(parts) if parts else np.empty(0, _KINDS[kind])
            for kind, parts in self.parts.items()
        }
        return {part: np.frombuffer(text, np.uint8), **buffers}


def _pack_value(value: Any, store: _Store) -> Any:
    match value:
        case np.ndarray():
            return {"a": store.put(value)}
        case Ref():
            return {"r": [value.call, value.item]}
        case Smooth():
            return {"s": value.name}
        case _:
            return value


def _unpack_value(packed: Any, buffers: Mapping[str, Array]) -> Any:
    match packed:
        case {"a": place}:
            return _array(place, buffers)
        case {"r": [call, item]}:
            return Ref(call, item)
        case {"s": name}:
            return Smooth(name)
        case _:
            return packed


def _array(place: list[Any], buffers: Mapping[str, Array]) -> Array:
    kind, offset, *shape = place
    size = 1
    for length in shape:
        size *= length
    view = buffers[kind][offset : offset + size].reshape(shape)
    view.flags.writeable = False
    return view


def freeze(key: AnswerKey) -> bytes:
    """Return the key as the bytes of an `.npz`. The same key gives the same bytes."""
    right, wrong = _Store(), _Store()
    header = {
        "probes": [_pack_probe(probe, right) for probe in key.probes],
        "answers": {name: _pack_answer(answer, right) for name, answer in key.answers.items()},
    }
    mistakes = {
        name: {
            code: {probe: _pack_answer(answer, wrong) for probe, answer in answers.items()}
            for code, answers in table.items()
        }
        for name, table in key.mistakes.items()
    }
    stream = io.BytesIO()
    members: dict[str, Any] = right.members(_RIGHT, header) | wrong.members(_WRONG, mistakes)
    np.savez_compressed(stream, **members)
    write_label(stream, key.label)
    return stream.getvalue()


def _pack_probe(probe: Probe, store: _Store) -> dict[str, Any]:
    call = probe.call._asdict() | {"args": [_pack_value(value, store) for value in probe.call.args]}
    if probe.call.again is not None:
        call["again"] = [_pack_value(value, store) for value in probe.call.again]
    tolerances = [[tolerance.right, tolerance.note, tolerance.scale, tolerance.floor] for tolerance in probe.tolerances]
    plain = {name: getattr(probe, name) for name in (*_NAMES, *_PLAIN)}
    return plain | {"call": call, "tolerances": tolerances}


def _pack_answer(answer: Answer, store: _Store) -> list[Any]:
    return [[store.put(item) for item in answer.items], answer.raises, answer.changed, list(answer.words)]


def thaw(content: bytes, path: Path | None = None) -> AnswerKey:
    """Return the key that `freeze` wrote. Raise `CourseError` where the bytes are not such a key.

    `path` tells where the bytes were read from, so that the error can say how to write that file again.
    """
    label = read_label(io.BytesIO(content), path)
    header, buffers = _read(content, _RIGHT, path)
    try:
        probes = tuple(_unpack_probe(packed, buffers) for packed in header["probes"])
        answers = {name: _unpack_answer(packed, buffers) for name, packed in header["answers"].items()}
        return AnswerKey(label.seed, label.digest, probes, MappingProxyType(answers), _Mistakes(content, path))
    except Exception as error:
        raise damaged(path, error) from error


def _read(content: bytes, part: str, path: Path | None) -> tuple[dict[str, Any], dict[str, Array]]:
    """Return the header and the buffers of one part of the archive."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            header = json.loads(archive[part].tobytes())
            return dict(header), {kind: archive[f"{part}_{kind}"] for kind in _KINDS}
    except Exception as error:  # zipfile, json and NumPy raise a dozen types on damaged bytes
        raise damaged(path, error) from error


class _Mistakes(Mapping[str, Mapping[str, Mapping[str, Answer]]]):
    """What the known mistakes give, by asked-for name; read from the archive when it is first looked at.

    Judging right work never reads them, and they are most of the file: reading the right answers alone takes 4 ms,
    reading everything 15 ms.
    """

    def __init__(self, content: bytes, path: Path | None) -> None:
        self._content = content
        self._path = path

    @cached_property
    def _tables(self) -> dict[str, dict[str, "_Answers"]]:
        header, buffers = _read(self._content, _WRONG, self._path)
        return {
            name: {code: _Answers(packed, buffers) for code, packed in table.items()} for name, table in header.items()
        }

    def __getitem__(self, name: str) -> Mapping[str, Mapping[str, Answer]]:
        return self._tables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)


class _Answers(Mapping[str, Answer]):
    """A mistake's answers by probe id, unpacked when they are asked for: most are never compared."""

    def __init__(self, packed: dict[str, Any], buffers: Mapping[str, Array]) -> None:
        self._packed = packed
        self._buffers = buffers

    def __contains__(self, name: object) -> bool:
        return name in self._packed

    def __getitem__(self, name: str) -> Answer:
        return _unpack_answer(self._packed[name], self._buffers)

    def __iter__(self) -> Iterator[str]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)


def _unpack_probe(packed: dict[str, Any], buffers: Mapping[str, Array]) -> Probe:
    call = dict(packed["call"])
    call["args"] = tuple(_unpack_value(value, buffers) for value in call["args"])
    if call["again"] is not None:
        call["again"] = tuple(_unpack_value(value, buffers) for value in call["again"])
    fields: dict[str, Any] = {name: packed[name] for name in _PLAIN} | {name: tuple(packed[name]) for name in _NAMES}
    return Probe(
        call=Call(**call),
        tolerances=tuple(Tolerance(*tolerance) for tolerance in packed["tolerances"]),
        **fields,
    )


def _unpack_answer(packed: list[Any], buffers: Mapping[str, Array]) -> Answer:
    items, raises, changed, words = packed
    return Answer(tuple(_array(place, buffers) for place in items), raises, changed, tuple(words))


def load_key(path: Path) -> AnswerKey:
    """Return the frozen key in a file. Raise `CourseError` where the file is missing or damaged."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from error
    return thaw(content, path)
