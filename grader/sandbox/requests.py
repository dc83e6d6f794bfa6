"""What is sent to a child: a program and calls as plain data, with the results of earlier calls filled in."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from grader.calls import Call, Ended, Opaque, Program, Ref, Reply, Smooth, Wrapped
from grader.sandbox.shared import wire
from grader.sandbox.shared.wire import Special, WireError

MAX_FRAME = 24 << 20  # bytes of arguments in one frame
MOST_KEPT = 64  # frames; a key has about twenty
MAX_CONTENT = wire.MAX_BODY - (1 << 10)  # bytes of a packed frame, which has to fit into a message
PLAIN_WEIGHT = 1 << 10  # bytes that a plain item counts for, so that their number is bounded as well


class UnusableError(Exception):
    """A reference leads to no usable value; the text says why."""


def pack_program(program: Program) -> bytes:
    """Return a program as JSON, as `loading.Shelf` takes it: a notebook may have more cells than a frame has nodes.

    Cells are numbered over all units: a child tells of them by these numbers.
    """
    numbered = count()
    units = [
        {
            "module": unit.module,
            "file": unit.file,
            "cells": [{"text": cell.text, "number": cell.number, "place": next(numbered)} for cell in unit.cells],
            "aliases": list(unit.aliases),
            "notebook": unit.notebook,
        }
        for unit in program.units
    ]
    plain = {
        "units": units,
        "run": program.run,
        "homes": dict(program.homes),
        "stubs": program.stubs,
        "absent": program.absent,
    }
    return json.dumps(plain, ensure_ascii=False).encode("utf-8", "replace")


def refers_to(value: Any, ids: set[str]) -> bool:
    """Whether an argument needs the result of one of these calls."""
    if isinstance(value, Ref):
        return value.call in ids
    return isinstance(value, list | tuple) and any(refers_to(x, ids) for x in value)


def _usable(value: Any, call: str) -> Any:
    """Return a result as an argument: bare numbers, whatever container they came in."""
    if isinstance(value, Wrapped):
        return _usable(value.value, call)
    if value is None or isinstance(value, Opaque):
        msg = f"{call} gave nothing that can be used"
        raise UnusableError(msg)
    if isinstance(value, list | tuple):
        return type(value)(_usable(x, call) for x in value)
    if isinstance(value, dict):
        return {key: _usable(x, call) for key, x in value.items()}
    return value


def _fill(value: Any, replies: Mapping[str, Reply]) -> Any:
    """Replace each `Ref` by the result it stands for."""
    if isinstance(value, Ref):
        reply = replies.get(value.call)
        if reply is None or reply.ended is not Ended.RETURNED:
            msg = f"needs the result of {value.call}, which there is not"
            raise UnusableError(msg)
        if value.item is None:
            return _usable(reply.value, value.call)
        if not isinstance(reply.value, list | tuple) or not 0 <= value.item < len(reply.value):
            msg = f"{value.call} gave no item {value.item}"
            raise UnusableError(msg)
        return _usable(reply.value[value.item], value.call)
    if isinstance(value, Smooth):
        return Special("smooth", value.name)
    if isinstance(value, list | tuple):
        return type(value)(_fill(x, replies) for x in value)
    return value


def message(call: Call, replies: Mapping[str, Reply]) -> dict[str, Any]:
    """Return one call as plain data, without its sequence number.

    Raises
    ------
    UnusableError
        If an argument refers to a result that cannot be used.
    """
    made: dict[str, Any] = {"args": tuple(_fill(x, replies) for x in call.args)}
    if call.again is not None:
        made["again"] = tuple(_fill(x, replies) for x in call.again)
    # What is as usual is left out: every item of a message is looked at on both sides.
    asked = {name: getattr(call, name) for name in ("constant", "order", "readonly", "single", "echo")}
    return made | {name: value for name, value in asked.items() if value != Call._field_defaults[name]}


def weight(value: Any) -> int:
    """Estimate how much of a frame a message takes."""
    if isinstance(value, np.ndarray):
        return int(value.nbytes)
    if isinstance(value, dict):
        return sum(map(weight, value.values()))
    if isinstance(value, list | tuple):
        return PLAIN_WEIGHT + sum(map(weight, value))
    return PLAIN_WEIGHT + (len(value) if isinstance(value, str) else 0)


class Frame(NamedTuple):
    """Calls of one function that go together, and the content of their frame."""

    calls: tuple[Call, ...]
    content: bytes


class Packer:
    """Packs calls into frames. An engine has one: a class is asked the same calls over and over, packed once."""

    def __init__(self) -> None:
        self._kept: dict[tuple[int, ...], Frame] = {}

    def needs(self, group: Sequence[Call], ids: set[str]) -> bool:
        """Whether one of these calls needs the result of a call in `ids`."""
        if not ids or tuple(map(id, group)) in self._kept:  # what is kept depends on no reply
            return False
        return any(refers_to([call.args, call.again], ids) for call in group)

    def take_frame(
        self, pending: list[Call], replies: Mapping[str, Reply], skip: Callable[[Call, str], None], *, whole: bool
    ) -> Frame:
        """Take from `pending` what can go into one frame: no call that needs the result of another one in it.

        Parameters
        ----------
        pending : list of Call
            Calls of one function; what is taken or skipped is removed.
        replies : mapping
            What `Ref` stands for.
        skip : callable
            Is given a call that refers to a result which cannot be used or passed on, and the reason.
        whole : bool
            `pending` holds all calls of the function. Only then is the frame kept, if it takes them all and depends on
            no reply: what is left of them after a crash is seldom asked again.

        Raises
        ------
        WireError
            If a call that holds no result of another one does not fit into a frame.
        """
        name = tuple(map(id, pending)) if whole else ()
        if (known := self._kept.get(name)) is not None:
            pending.clear()
            return known
        fixed = whole and not any(_holds_reference([call.args, call.again]) for call in pending)
        chosen, made = _choose(pending, replies, skip)
        frame = _pack(chosen, made)
        if frame is None and len(chosen) > 1:  # one of them may hold more than all others
            pending[:0] = chosen[1:]
            frame = _pack(chosen[:1], made[:1])
        if frame is None:
            if not _holds_reference([chosen[0].args, chosen[0].again]):
                msg = f"the arguments of {chosen[0].id}"
                raise WireError(msg)
            skip(chosen[0], "a result that it needs cannot be passed on: it is too large, nested too deep or not plain")
            return Frame((), b"")
        if fixed and not pending:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[name] = frame  # it holds the calls, so no other object gets their ids
        return frame


def _pack(chosen: Sequence[Call], made: Sequence[dict[str, Any]]) -> Frame | None:
    """Return the frame of these calls; `None` where they do not fit into one."""
    try:
        content = wire.pack({"calls": made})
    except WireError:
        return None
    return Frame(tuple(chosen), content) if len(content) <= MAX_CONTENT else None


def _holds_reference(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_holds_reference, value))
    return isinstance(value, Ref)


def _choose(
    pending: list[Call], replies: Mapping[str, Reply], skip: Callable[[Call, str], None]
) -> tuple[list[Call], list[dict[str, Any]]]:
    chosen: list[Call] = []
    messages: list[dict[str, Any]] = []
    ids: set[str] = set()
    size = 0
    while pending:
        call = pending[0]
        if refers_to([call.args, call.again], ids):
            break
        try:
            made = message(call, replies)
        except UnusableError as why:
            skip(pending.pop(0), str(why))
            continue
        more = weight(made)
        if chosen and size + more > MAX_FRAME:
            break
        chosen.append(pending.pop(0))
        messages.append(made)
        ids.add(call.id)
        size += more
    return chosen, messages


def defines(text: str, name: str) -> bool:
    """Whether source text looks as if it defined `name`; it may be broken, so it is not parsed."""
    pattern = rf"^\s*(?:(?:async\s+)?def\s+{name}\b|{name}\s*(?::[^=\n]*)?=[^=])"
    return re.search(pattern, text, re.MULTILINE) is not None
