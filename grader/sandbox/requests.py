"""Requests to a child: a program and calls as plain data, with the results of earlier calls filled in.

A student's own result goes back to the child as bare numbers. It was read by the wire's rules, so it may still be more
than a frame takes on the way back; that costs the calls which need it, and is no fault of the grader.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from grader.calls import Call, Ended, Opaque, Program, Ref, Reply, Smooth, Wrapped
from grader.sandbox.limits import ENVELOPE, MAX_FRAME, MOST_KEPT, PLAIN_WEIGHT
from grader.sandbox.shared import wire
from grader.sandbox.shared.wire import Special, WireError

MAX_CONTENT = wire.MAX_BODY - ENVELOPE  # bytes of a packed frame, which has to fit into a message


class UnusableError(Exception):
    """A reference leads to no usable value; the message says why."""


def pack_program(program: Program) -> bytes:
    """Return a program as JSON, for `child.loading.Loader`.

    It travels as one string, because a notebook may have more cells than a frame has nodes; one of 12,000 ended the
    grading. Cells are numbered over all units, and a child tells of them by these numbers.
    """
    numbered = count()
    units = [
        {
            "module": unit.module,
            "file": unit.file,
            "cells": [{"text": cell.text, "number": cell.number, "place": next(numbered)} for cell in unit.cells],
            "aliases": list(unit.aliases),
            "notebook": unit.notebook,
            "address": unit.address,
            "package": unit.package,
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


def _refers_to(value: Any, ids: set[str]) -> bool:
    """Return whether an argument needs the result of one of these calls."""
    if isinstance(value, Ref):
        return value.call in ids
    return isinstance(value, list | tuple) and any(_refers_to(x, ids) for x in value)


def _usable(value: Any, call: str) -> Any:
    """Return a result as an argument: the bare numbers, whatever container held them."""
    if isinstance(value, Wrapped):
        return _usable(value.value, call)
    if value is None or isinstance(value, Opaque):
        message = f"{call} gave nothing that can be used"
        raise UnusableError(message)
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
            message = f"needs the result of {value.call}, which there is not"
            raise UnusableError(message)
        if value.item is None:
            return _usable(reply.value, value.call)
        if not isinstance(reply.value, list | tuple) or not 0 <= value.item < len(reply.value):
            message = f"{value.call} gave no item {value.item}"
            raise UnusableError(message)
        return _usable(reply.value[value.item], value.call)
    if isinstance(value, Smooth):
        return Special("smooth", value.name)
    if isinstance(value, list | tuple):
        return type(value)(_fill(x, replies) for x in value)
    return value


def _write_request(call: Call, replies: Mapping[str, Reply]) -> dict[str, Any]:
    """Return one call as plain data, without its sequence number.

    Raises
    ------
    UnusableError
        If an argument refers to a result that cannot be used.
    """
    made: dict[str, Any] = {"args": tuple(_fill(x, replies) for x in call.args)}
    if call.again is not None:
        made["again"] = tuple(_fill(x, replies) for x in call.again)
    # A field with its default is left out: both sides look at every item of a message.
    asked = {name: getattr(call, name) for name in ("constant", "order", "readonly", "single", "echo")}
    return made | {name: value for name, value in asked.items() if value != Call._field_defaults[name]}


def _weight(value: Any) -> int:
    """Return an estimate of the bytes that a message takes of a frame."""
    if isinstance(value, np.ndarray):
        return int(value.nbytes)
    if isinstance(value, dict):
        return sum(map(_weight, value.values()))
    if isinstance(value, list | tuple):
        return PLAIN_WEIGHT + sum(map(_weight, value))
    return PLAIN_WEIGHT + (len(value) if isinstance(value, str) else 0)


class Frame(NamedTuple):
    """Calls of one function that travel together, and their packed content."""

    calls: tuple[Call, ...]
    content: bytes


class Packer:
    """Packs calls into frames. An engine keeps one, because each submission of a class is asked the same calls."""

    def __init__(self) -> None:
        self._kept: dict[tuple[int, ...], Frame] = {}

    def needs(self, group: Sequence[Call], ids: set[str]) -> bool:
        """Return whether one of these calls needs the result of a call in `ids`."""
        if not ids or tuple(map(id, group)) in self._kept:  # what is kept depends on no reply
            return False
        return any(_refers_to([call.args, call.again], ids) for call in group)

    def take_frame(
        self, pending: list[Call], replies: Mapping[str, Reply], skip: Callable[[Call, str], None], *, whole: bool
    ) -> Frame:
        """Take as many calls from `pending` as can go into one frame, none of which needs the result of another.

        Parameters
        ----------
        pending : list of Call
            Calls of one function; those that are taken or skipped are removed from it.
        replies : mapping
            The replies that a `Ref` stands for.
        skip : callable
            Is given a call that refers to a result which cannot be used or passed on, and the reason.
        whole : bool
            Whether `pending` holds all calls of the function. Only then the frame is kept, if it takes them all and
            depends on no reply: the calls that are left after a crash are seldom asked again.

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
        if frame is None and len(chosen) > 1:  # one call may hold more than all others; it shall cost itself only
            pending[:0] = chosen[1:]
            frame = _pack(chosen[:1], made[:1])
        if frame is None:
            if not _holds_reference([chosen[0].args, chosen[0].again]):
                message = f"the arguments of {chosen[0].id}"
                raise WireError(message)
            skip(chosen[0], "a result that it needs cannot be passed on: it is too large, nested too deep or not plain")
            return Frame((), b"")
        if fixed and not pending:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[name] = frame  # the frame holds the calls, so that no other object gets their ids
        return frame


def _pack(chosen: Sequence[Call], made: Sequence[dict[str, Any]]) -> Frame | None:
    """Return the frame of these calls; `None` where they do not fit into one."""
    try:
        content = wire.pack({"calls": made})
    except WireError:
        return None
    return Frame(tuple(chosen), content) if len(content) <= MAX_CONTENT else None


def _holds_reference(value: Any) -> bool:
    """Return whether an argument needs the result of any call."""
    if isinstance(value, list | tuple):
        return any(map(_holds_reference, value))
    return isinstance(value, Ref)


def _choose(
    pending: list[Call], replies: Mapping[str, Reply], skip: Callable[[Call, str], None]
) -> tuple[list[Call], list[dict[str, Any]]]:
    """Take the calls of one frame from `pending`; return them and what is sent of them."""
    chosen: list[Call] = []
    messages: list[dict[str, Any]] = []
    ids: set[str] = set()
    size = 0
    while pending:
        call = pending[0]
        if _refers_to([call.args, call.again], ids):
            break
        try:
            made = _write_request(call, replies)
        except UnusableError as why:
            skip(pending.pop(0), str(why))
            continue
        more = _weight(made)
        if chosen and size + more > MAX_FRAME:
            break
        chosen.append(pending.pop(0))
        messages.append(made)
        ids.add(call.id)
        size += more
    return chosen, messages
