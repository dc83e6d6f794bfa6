"""Says what confines this process, then runs a program and answers calls.

The hello goes out before any student code is there, so it cannot be forged. Afterwards nothing that the child says is
believed, and it can only spoil its own answers.
"""

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
from ..shared.calling import Form, make_call
from ..shared.smooth import SMOOTH
from . import confinement
from .faults import describe, is_memory
from .loading import Loader, first_names
from .values import Converter, type_name

_ROOM = __name__.partition(".")[0]
# Student code may rebind attributes of these modules, by accident or not; what is looked up here stays.
_sleep = time.sleep
_catch_warnings, _simplefilter = warnings.catch_warnings, warnings.simplefilter
_error_state: Any = np.geterr()
_seterr, _seed, _seed_numpy = np.seterr, random.seed, np.random.seed


class NotForStudents:
    """Refuses to import anything of the grader; asked before all other finders."""

    def find_spec(self, name: str, *_: object) -> None:
        """Raise `ImportError` for the grader's own names; know nothing of others."""
        if name.partition(".")[0] in (_ROOM, "grader"):
            message = f"{name} cannot be imported by a submission"
            raise ImportError(message, name=name)


class Line:
    """The child's end of the connection."""

    def __init__(self, receive: Callable[[int], bytes], send: Callable[[bytes], None]) -> None:
        self._receive, self._send = receive, send
        self._streams = (sys.stdout, sys.stderr)  # also flushed where student code has put others in their place
        self._make = {"smooth": lambda name, _: SMOOTH[name]}
        self._held: list[bytes] = []

    def _read(self, size: int) -> bytes:
        """Return so many bytes of the connection; end the process when the grader is gone."""
        whole = bytearray()
        while len(whole) < size:
            piece = self._receive(min(size - len(whole), 1 << 20))
            if not piece:
                os._exit(0)
            whole += piece
        return bytes(whole)

    def receive(self) -> dict[str, Any]:
        """Return the next message; end the process when the grader is gone."""
        head, body = wire.sizes(self._read(wire.PREFIX.size))
        return wire.unpack(self._read(head), self._read(body), self._make)

    def unpack(self, frame: bytes) -> dict[str, Any]:
        """Return the message of a frame that came within another one."""
        start = wire.PREFIX.size
        head, _ = wire.sizes(frame[:start])
        return wire.unpack(frame[start : start + head], frame[start + head :], self._make)

    def hold(self, message: dict[str, Any]) -> None:
        """Have a message go out with the next one: to wake the grader for each takes longer than to write it."""
        self._held.append(wire.pack(message))

    def send(self, message: dict[str, Any]) -> None:
        """Send a message, after everything printed so far: the output is kept in order with the replies."""
        for stream in (*self._streams, getattr(sys, "stdout", None), getattr(sys, "stderr", None)):
            try:
                stream.flush()  # type: ignore[union-attr]
            except BaseException:  # noqa: BLE001, S112 (a student may have closed or replaced it)
                continue
        frame = b"".join([*self._held, wire.pack(message)])
        self._held.clear()
        try:
            self._send(frame)
        except OSError:
            # Student code closed the connection. The grader notices that and ends this process. One that ended first
            # would look as if student code had called `exit`.
            _sleep(5)
            os._exit(1)


def _reset() -> None:
    """Undo settings of the whole process that a result may depend on, and that earlier student code may have changed.

    Done once before any program is there and once for each frame of calls, that is once for each function whose calls
    fit into one frame. The calls in a frame draw from one stream of random numbers. A call that is asked again in a
    fresh child, after a crash, is the first of its frame, and so begins a fresh stream.
    """
    _seterr(**_error_state)
    _seed(0)
    _seed_numpy(0)


def _perform(function: Callable[..., Any], asked: dict[str, Any], plain: Converter) -> dict[str, Any]:
    """Make a call as it was asked for; return what there is to tell of it."""
    form = Form(asked.get("order", "C"), readonly="readonly" in asked, single="single" in asked)
    made = make_call(function, asked["args"], asked.get("again"), form)
    reply = {"ended": "returned", "value": plain(made.value), "seconds": made.seconds}
    if "echo" in asked:
        reply["echo"] = plain(made.args)
    return reply


def answer_all(line: Line, loader: Loader, name: str, calls: list[dict[str, Any]], seqs: list[int]) -> None:
    """Reply to the calls of one function, one by one, each before the next call is made.

    So a crash costs the call in which it happens, and none that was answered before.
    """
    found, function = loader.find(name)
    _reset()
    with _catch_warnings(module=warnings):  # by its name it would be looked up where a student may have removed it
        warnings.showwarning = _show_nothing
        for asked, seq in zip(calls, seqs):  # noqa: B905 (as many of one as of the other)
            answer: dict[str, Any]
            if found != "found":
                answer = {"ended": found}
            elif "constant" in asked:
                answer = {"ended": "returned", "value": Converter()(function)}
            else:
                answer = _answer(function, asked, loader)
            _reply(line, seq, answer)


def _answer(function: Callable[..., Any], asked: dict[str, Any], loader: Loader) -> dict[str, Any]:
    """Make one call. A warning is no error, whatever the code said before; nor is it kept, as there may be millions."""
    _simplefilter("always")  # not "ignore", which would also hide it from code that records warnings itself
    try:
        return _perform(function, asked, Converter())
    except BaseException as error:  # noqa: BLE001 (SystemExit and KeyboardInterrupt are answers, too)
        return {"ended": "memory" if is_memory(error) else "raised", "error": describe(error, loader.sources)}


def _show_nothing(*_warning: object, **_named: object) -> None:
    """Stand for `warnings.showwarning`."""


_forgotten: list[ModuleType] = []  # kept alive: to take modules apart costs more than all calls of a function


def get_ready() -> None:
    """Do what has to be done before the confinement and, in the zygote, once before all forks.

    Leave no module of the grader's where student code would come across it; learn what can be imported; begin a stream
    of random numbers, from which the program draws while it is loaded.
    """
    first_names()
    _reset()
    _forgotten.extend([sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] == _ROOM])
    sys.modules["__main__"] = ModuleType("__main__")
    sys.argv[:] = [""]  # the settings of this process, with paths of this machine
    sys.dont_write_bytecode = True  # a child leaves nothing in the folders of libraries, also where it could
    sys.meta_path.insert(0, NotForStudents())


def serve(line: Line, engine: str, setup: dict[str, Any], confine: Callable[[], dict[str, Any]]) -> None:
    """Confine this process, say so, then do what is asked until the connection ends."""
    line.send({"seq": setup["seq"], "engine": engine, "isolation": confine()})
    loader: Loader | None = None
    while True:
        message = line.receive()
        if message["do"] == "load":
            loader = load(line, message)
        elif loader is not None:
            for part in message["parts"]:
                answer_all(line, loader, part["function"], line.unpack(part["calls"])["calls"], part["seqs"])


def _reply(line: Line, seq: int, answer: dict[str, Any]) -> None:
    """Send an answer; one that is plain and still does not fit into a frame is replaced by its type's name."""
    try:
        line.send({"seq": seq} | answer)
    except wire.WireError:
        value = wire.Special("opaque", type_name(type(answer.get("value"))), "too large to be sent")
        line.send({"seq": seq, "ended": "returned", "value": value})


def _tell_nobody(_event: dict[str, Any]) -> None:
    """Stand for news of cells: a file that is imported by a call is part of that call."""


def load(line: Line, message: dict[str, Any]) -> Loader:
    """Run a program and tell what happens."""
    seq = {"seq": message["seq"]}
    running = 0  # cells, one within the other

    def tell(event: dict[str, Any]) -> None:
        nonlocal running
        running += ("begins" in event) - ("ends" in event)
        # The beginning of a cell is told before it runs, since it may end the process. The end of a cell can wait for
        # the beginning of the next one.
        send = line.send if running else line.hold
        send(seq | event)

    loader = Loader(json.loads(message["program"]), set(message["skip"]), tell)
    loader.run_all()
    loader.tell = _tell_nobody
    line.send(seq | {"loaded": list(dict.fromkeys(loader.notes))})
    return loader


def start(settings: dict[str, Any]) -> None:
    """Serve as an interpreter of its own, for the spawn engine."""
    prepared = confinement.prepare(os.getcwd(), settings["hidden"], confine=settings["confine"])

    def confine() -> dict[str, Any]:
        tests = confinement.test(prepared) if setup["selftest"] else {}
        return {"selftest": tests} | confinement.enforce(prepared, setup, settings["parent"])

    if sys.platform == "win32":
        from ..shared import windows

        connection = windows.inherit()
    else:
        connection = socket.socket(fileno=settings["connection"])
    get_ready()
    line = Line(connection.recv, connection.sendall)
    setup = line.receive()
    serve(line, "spawn", setup, confine)
