"""In the child: says what confines it, runs a program, answers calls. Imports nothing of the grader but this room.

The hello goes out before any student code is seen, so it cannot be forged. Afterwards nothing that the child says is
believed: it can only spoil its own answers.
"""

import contextvars
import json
import os
import random
import socket
import sys
import time
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from ..shared import wire
from ..shared.arrays import lay_out
from ..shared.smooth import SMOOTH
from . import confinement
from .faults import describe, is_memory
from .loading import Shelf, first_names
from .values import Plain, type_name

_ROOM = __name__.partition(".")[0]
# Student code may rebind attributes of these modules, by accident or not.
_perf_counter, _sleep = time.perf_counter, time.sleep
_ndarray = np.ndarray
_catch_warnings, _simplefilter = warnings.catch_warnings, warnings.simplefilter
_error_state: Any = np.geterr()
_copy_context = contextvars.copy_context
_seterr, _seed, _seed_numpy = np.seterr, random.seed, np.random.seed


class NotForStudents:
    """The first finder: nothing of the grader can be imported."""

    def find_spec(self, name: str, *_: object) -> None:
        """Refuse the grader's own names."""
        if name.partition(".")[0] in (_ROOM, "grader"):
            message = f"{name} cannot be imported by a submission"
            raise ImportError(message, name=name)


class Line:
    """The child's end of the connection."""

    def __init__(self, receive: Callable[[int], bytes], send: Callable[[bytes], None]) -> None:
        self._receive, self._send = receive, send
        self._streams = (sys.stdout, sys.stderr)
        self._make = {"smooth": lambda name, _: SMOOTH[name]}
        self._held: list[bytes] = []

    def _read(self, size: int) -> bytes:
        whole = bytearray()
        while len(whole) < size:
            piece = self._receive(min(size - len(whole), 1 << 20))
            if not piece:
                os._exit(0)
            whole += piece
        return bytes(whole)

    def receive(self) -> dict[str, Any]:
        """Wait for the next message; end the process when the grader is gone."""
        head, body = wire.sizes(self._read(wire.PREFIX.size))
        return wire.unpack(self._read(head), self._read(body), self._make)

    def unpack(self, frame: bytes) -> dict[str, Any]:
        """Read a frame that came within a message."""
        start = wire.PREFIX.size
        head, _ = wire.sizes(frame[:start])
        return wire.unpack(frame[start : start + head], frame[start + head :], self._make)

    def hold(self, message: dict[str, Any]) -> None:
        """Have a message go out with the next one: waking the grader for each would take longer than to write them."""
        self._held.append(wire.pack(message))

    def send(self, message: dict[str, Any]) -> None:
        """Send one message, after everything printed so far."""
        for stream in (*self._streams, getattr(sys, "stdout", None), getattr(sys, "stderr", None)):
            try:
                stream.flush()  # type: ignore[union-attr]
            except BaseException:  # noqa: BLE001, S112 - a student may have closed or replaced it
                continue
        frame = b"".join([*self._held, wire.pack(message)])
        self._held.clear()
        try:
            self._send(frame)
        except OSError:  # a student closed the connection: wait for the grader to notice and to end this process
            _sleep(5)
            os._exit(1)


def _fresh(value: Any, order: Any, *, readonly: bool, single: bool) -> Any:
    """Return an argument with own copies of all arrays in it."""
    if type(value) is list:
        return [_fresh(x, order, readonly=readonly, single=single) for x in value]
    if type(value) is tuple:
        return tuple([_fresh(x, order, readonly=readonly, single=single) for x in value])
    if type(value) is _ndarray:
        return lay_out(value, order, readonly=readonly, single=single)
    return value


def _reset() -> None:
    """Undo what earlier student code may have set for the whole process and a result may depend on.

    Done once before any program is there and once for each frame of calls, that is once per function, where its calls
    fit into one frame: the calls in it draw from one stream of random numbers. A call that is asked again in a fresh
    child, after a crash, is the first of its frame, and so begins a fresh stream.
    """
    _seterr(**_error_state)
    _seed(0)
    _seed_numpy(0)


def _perform(function: Callable[..., Any], asked: dict[str, Any], plain: Plain) -> dict[str, Any]:
    """Call it once, or twice; the seconds are those of the calls alone."""
    order, readonly, single = asked.get("order", "C"), "readonly" in asked, "single" in asked
    args = _fresh(asked["args"], order, readonly=readonly, single=single)
    again = _fresh(asked.get("again"), order, readonly=readonly, single=single)
    context = _copy_context()  # what NumPy should do about errors is part of it, and so ends with the call
    start = _perf_counter()
    value = context.run(function, *args)
    if again is not None:
        value = (value, context.run(function, *again))
    seconds = _perf_counter() - start
    reply = {"ended": "returned", "value": plain(value), "seconds": seconds}
    if "echo" in asked:
        reply["echo"] = plain(args)
    return reply


def answer_all(line: Line, shelf: Shelf, name: str, calls: list[dict[str, Any]], seqs: list[int]) -> None:
    """Reply to the calls of one function, one by one, each before the next is made."""
    found, function = shelf.find(name)
    _reset()
    with _catch_warnings(module=warnings):  # by name it would be looked up where a student may have removed it
        warnings.showwarning = _show_nothing
        for asked, seq in zip(calls, seqs):  # noqa: B905 - as many of one as of the other
            answer: dict[str, Any]
            if found != "found":
                answer = {"ended": found}
            elif "constant" in asked:
                answer = {"ended": "returned", "value": Plain()(function)}
            else:
                answer = _answer(function, asked, shelf)
            _reply(line, seq, answer)


def _answer(function: Callable[..., Any], asked: dict[str, Any], shelf: Shelf) -> dict[str, Any]:
    """Make one call. A warning is no error, whatever the code said before; nor is it kept: there may be millions."""
    _simplefilter("always")  # not "ignore", which would also hide it from code that records warnings itself
    try:
        return _perform(function, asked, Plain())
    except BaseException as error:  # noqa: BLE001 - SystemExit and KeyboardInterrupt are answers, too
        return {"ended": "memory" if is_memory(error) else "raised", "error": describe(error, shelf.sources)}


def _show_nothing(*_warning: object, **_named: object) -> None:
    """Stand for `warnings.showwarning`."""


_forgotten: list[ModuleType] = []  # taking modules apart would cost more than all calls of a function


def get_ready() -> None:
    """Do what comes before confinement and, in the zygote, before all forks.

    Leave no module of the grader's where student code would come across it; learn what can be imported; begin a stream
    of random numbers, which running the program will draw from.
    """
    first_names()
    _reset()
    _forgotten.extend([sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] == _ROOM])
    sys.modules["__main__"] = ModuleType("__main__")
    sys.argv[:] = [""]
    sys.dont_write_bytecode = True
    sys.meta_path.insert(0, NotForStudents())


def serve(line: Line, engine: str, setup: dict[str, Any], confine: Callable[[], dict[str, Any]]) -> None:
    """Be confined, say so, then do what is asked until the connection ends."""
    line.send({"seq": setup["seq"], "engine": engine, "isolation": confine()})
    shelf: Shelf | None = None
    while True:
        message = line.receive()
        if message["do"] == "load":
            shelf = load(line, message)
        elif shelf is not None:
            for part in message["parts"]:
                answer_all(line, shelf, part["function"], line.unpack(part["calls"])["calls"], part["seqs"])


def _reply(line: Line, seq: int, answer: dict[str, Any]) -> None:
    """Send an answer; what is plain and still does not fit into a frame is named instead."""
    try:
        line.send({"seq": seq} | answer)
    except wire.WireError:
        value = wire.Special("opaque", type_name(type(answer.get("value"))), "too large to be sent")
        line.send({"seq": seq, "ended": "returned", "value": value})


def _tell_nobody(_event: dict[str, Any]) -> None:
    """Stand for news of cells: a file that is imported by a call is part of that call."""


def load(line: Line, message: dict[str, Any]) -> Shelf:
    """Run a program and tell what happens."""
    seq = {"seq": message["seq"]}

    running = 0  # cells, one within the other

    def tell(event: dict[str, Any]) -> None:
        nonlocal running
        running += ("begins" in event) - ("ends" in event)
        # Where none is running, what follows is the next beginning, or the end of all.
        send = line.send if running else line.hold
        send(seq | event)

    shelf = Shelf(json.loads(message["program"]), set(message["skip"]), tell)
    shelf.run_all()
    shelf.tell = _tell_nobody
    line.send(seq | {"loaded": list(dict.fromkeys(shelf.notes))})
    return shelf


def start(settings: dict[str, Any]) -> None:
    """Serve as an interpreter of its own: the spawn engine's way."""
    plan = confinement.prepare(os.getcwd(), settings["hidden"], confine=settings["confine"])  # noqa: PTH109

    def confine() -> dict[str, Any]:
        tests = confinement.test(plan) if setup["selftest"] else {}
        return {"selftest": tests} | confinement.enforce(plan, setup, settings["parent"])

    if sys.platform == "win32":
        from ..shared import windows

        connection = windows.inherit()
    else:
        connection = socket.socket(fileno=settings["connection"])
    get_ready()
    line = Line(connection.recv, connection.sendall)
    setup = line.receive()
    serve(line, "spawn", setup, confine)
