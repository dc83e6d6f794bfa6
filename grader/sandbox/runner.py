"""Runs one submission: loads it, asks its functions, and starts over in a fresh child where one is lost.

A crash or a timeout costs the call, cell or file that caused it, never its neighbours.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from grader.sandbox import answers
from grader.sandbox.calls import Call, Ended, Limits, Load, Program, Reply, Run
from grader.sandbox.channel import GoneError, LateError
from grader.sandbox.engines import Ending, Engine
from grader.sandbox.requests import batch, defines, program_message
from grader.sandbox.session import Session, number
from grader.sandbox.wire import WireError

MAX_RELOADS = 2  # without a cell or file that hung or crashed
MAX_CRASHES = 3  # of one function
SENDING = 1.0  # seconds more for a frame of arguments to be taken
GRACE = 0.3  # seconds a child that closed its connection gets to end by itself, so that its status is known
_LOST_CHILD = (GoneError, LateError, WireError)
_OUT_OF_MEMORY = ("Memory allocation still failed", "Cannot allocate memory", "std::bad_alloc")


class Budget:
    """The submission's time: only waiting for the student's code counts."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.left = seconds, seconds
        self._from = time.monotonic()

    def deadline(self, seconds: float) -> float:
        """Start to wait; return until when, at most `seconds` from now."""
        self._from = time.monotonic()
        return self._from + max(min(seconds, self.left), 0.0)

    def stop(self) -> None:
        """Take the time since `deadline` off."""
        self.left -= time.monotonic() - self._from

    @property
    def used_up(self) -> bool:
        """Whether nothing is left."""
        return self.left <= 0.001  # noqa: PLR2004 - a millisecond is nothing

    def __str__(self) -> str:
        """Say that it is used up."""
        return f"the submission's time budget of {self.seconds:g} s is used up"


@dataclass(frozen=True)
class Loss:
    """Why a child was lost."""

    ended: Ended
    detail: str


class Conversation:
    """One submission's run, over as many children as it takes."""

    def __init__(self, engine: Engine, program: Program, limits: Limits) -> None:
        self.engine, self.program, self.limits = engine, program, limits
        self.budget = Budget(limits.submission)
        self.replies: dict[str, Reply] = {}
        self.loads: dict[tuple[str, int | None], Load] = {}
        self.notes: list[str] = []
        self.output: list[str] = []
        self.skip: set[tuple[str, int | None]] = set()
        self.files = {unit.module: unit.file for unit in program.units}
        self.session: Session | None = None
        self.hopeless: Loss | None = None  # the program cannot be loaded at all

    # -- children

    def ready(self) -> Session | None:
        """Return a session whose program is loaded; `None` where that cannot be had."""
        while self.session is None and self.hopeless is None:
            if self.budget.used_up:
                self.hopeless = Loss(Ended.TIMEOUT, str(self.budget))
                break
            self.session = self.engine.session(self.program, self.limits)
            self._load(self.session)
        return self.session

    def lose(self, error: Exception, limit: float) -> Loss:
        """End the child that was lost; say why."""
        self.budget.stop()
        session, self.session = self.session, None
        assert session is not None  # noqa: S101
        ending = session.close(GRACE if isinstance(error, GoneError) and not error.args else 0.0)
        printed = session.printed()
        self._keep(printed)
        if isinstance(error, LateError):
            return Loss(Ended.TIMEOUT, str(self.budget) if self.budget.used_up else f"no result within {limit:g} s")
        if isinstance(error, WireError):
            return Loss(Ended.CRASHED, f"it wrote to the grader's connection ({error})")
        if error.args:
            return Loss(Ended.CRASHED, str(error.args[0]))
        return self._ended(ending, printed)

    def _ended(self, ending: Ending, printed: str) -> Loss:
        if ending.status == -24:  # noqa: PLR2004 - SIGXCPU
            return Loss(Ended.TIMEOUT, "used up its processor time")
        full = ending.peak > 0.7 * self.limits.memory or any(sign in printed[-2000:] for sign in _OUT_OF_MEMORY)
        if ending.status == -9 or (full and ending.status):  # noqa: PLR2004 - killed, and not by us
            return Loss(Ended.MEMORY, f"{answers.over_memory(self.limits.memory)} ({ending})")
        return Loss(Ended.CRASHED, str(ending))

    def _keep(self, printed: str) -> None:
        if printed and printed not in self.output:
            self.output.append(printed)

    # -- loading

    def _load(self, session: Session) -> None:
        """Run the program's files; what hangs or crashes is left out in the next child."""
        running: list[tuple[str, int | None]] = []
        try:
            self._follow(session, running)
        except _LOST_CHILD as error:
            loss = self.lose(error, self.limits.load)
            if not running or running[-1] in self.skip:
                self.hopeless = loss
                return
            place = running[-1]
            self.loads[place] = Load(place[0], self.files[place[0]], place[1], loss.ended, None, loss.detail)
            self.skip.add(place)
            if len(self.skip) > MAX_RELOADS:
                self.hopeless = loss

    def _follow(self, session: Session, running: list[tuple[str, int | None]]) -> None:
        seq, unit = number(), None
        deadline = self.budget.deadline(self.limits.load)
        skip = [list(place) for place in self.skip]
        message = {"seq": seq, "do": "load", "program": program_message(self.program), "skip": skip}
        session.send(message, deadline)
        while True:
            told = session.receive(seq, deadline)
            if "loaded" in told:
                self.notes += [note for note in session.reader.texts(told["loaded"]) if note not in self.notes]
                self.budget.stop()
                return
            if "begins" in told:
                place = self._place(told["begins"])
                if not running and place[0] != unit:
                    unit = place[0]
                    self.budget.stop()
                    deadline = self.budget.deadline(self.limits.load)
                running.append(place)
            elif "failed" in told:
                place = self._place(told["failed"])
                load = session.reader.load(place, self.files[place[0]], told["failed"])
                self.loads.setdefault(place, load)
            elif running:
                running.pop()

    def _place(self, told: Any) -> tuple[str, int | None]:
        place = (told.get("module"), told.get("cell")) if type(told) is dict else (None, None)
        for unit in self.program.units:
            if unit.module == place[0] and any(cell.number == place[1] for cell in unit.cells):
                return unit.module, place[1]
        msg = "news of a cell that does not exist"
        raise WireError(msg)

    # -- calls

    def ask(self, calls: Sequence[Call]) -> None:
        """Ask all calls of one function."""
        pending, crashes = list(calls), 0
        while pending:
            session = self.ready()
            if session is None or self.budget.used_up:
                self._give_up(pending, self._out_of_reach())
                return
            chosen = batch(pending, self.replies, self._skip)
            loss = self._exchange(session, chosen)
            pending[:0] = [call for call, _ in chosen if call.id not in self.replies]
            if loss is None or not pending:
                continue
            self._give_up([pending.pop(0)], loss)
            crashes += loss.ended is not Ended.TIMEOUT
            if self.budget.used_up:
                continue
            if loss.ended is Ended.TIMEOUT or crashes == MAX_CRASHES:
                why = "an earlier call of it ran out of time" if crashes < MAX_CRASHES else "three of its calls crashed"
                self._give_up(pending, Loss(Ended.SKIPPED, f"not tried: {why}"))
                return

    def _exchange(self, session: Session, chosen: list[tuple[Call, dict[str, Any]]]) -> Loss | None:
        """Send calls of one function in one frame and take the replies as they come; return why some are missing."""
        if not chosen:
            return None
        asked = [made | {"seq": number()} for _, made in chosen]
        limit = self.limits.call
        try:
            deadline = self.budget.deadline(limit + SENDING)
            session.send({"seq": number(), "do": "call", "function": chosen[0][0].function, "calls": asked}, deadline)
            self.budget.stop()
            for (call, _), sent in zip(chosen, asked, strict=True):
                limit = self.limits.call * (1 if call.again is None else 2)
                told = session.receive(sent["seq"], self.budget.deadline(limit))
                self.replies[call.id] = self._explained(call, session.reader.reply(told))
                self.budget.stop()
        except _LOST_CHILD as error:
            return self.lose(error, limit)
        return None

    def _explained(self, call: Call, reply: Reply) -> Reply:
        """Say what became of the file or the cell that would have defined a name."""
        if reply.ended not in (Ended.MISSING, Ended.LOST):
            return reply
        home = self.program.homes.get(call.function)
        for unit in self.program.units:
            for cell in unit.cells if unit.module == home else ():
                load = self.loads.get((unit.module, cell.number))
                if load is not None and (not unit.notebook or defines(cell.text, call.function)):
                    where = unit.file if cell.number is None else f"{unit.file}, cell {cell.number}"
                    return Reply(Ended.LOST, detail=f"{where} could not be run")
        return reply

    def _out_of_reach(self) -> Loss:
        if self.budget.used_up:
            return Loss(Ended.TIMEOUT, str(self.budget))
        return Loss(Ended.LOST, self.hopeless.detail if self.hopeless else "")

    def _skip(self, call: Call, why: str) -> None:
        self._give_up([call], Loss(Ended.SKIPPED, why))

    def _give_up(self, calls: Sequence[Call], loss: Loss) -> None:
        for call in calls:
            self.replies[call.id] = Reply(loss.ended, detail=loss.detail)

    def close(self) -> None:
        """End the last child."""
        if self.session is not None:
            self.session.close()
            self._keep(self.session.printed())
            self.session = None

    def result(self) -> Run:
        """Return all that the submission gave."""
        output, isolation = "\n".join(self.output), self.engine.isolation()
        return Run(self.replies, tuple(self.loads.values()), tuple(self.notes), output, isolation)


def run(engine: Engine, program: Program, calls: Sequence[Call], limits: Limits) -> Run:
    """Run all of one submission.

    Parameters
    ----------
    engine : Engine
        Serves one run at a time.
    program : Program
        The work, as text.
    calls : sequence of Call
        Asked in the order in which their functions first appear; a `Ref` must point to an earlier call in that order.
    limits : Limits
        Per call, per file, for all of it.

    Returns
    -------
    Run
        A reply for each call, whatever happened.

    Raises
    ------
    SandboxError
        If no child can be started, or what should be sent does not fit: never for what a submission does.
    """
    by_function: dict[str, list[Call]] = {}
    for call in calls:
        by_function.setdefault(call.function, []).append(call)
    conversation = Conversation(engine, program, limits)
    try:
        conversation.ready()
        for asked in by_function.values():
            conversation.ask(asked)
    finally:
        conversation.close()
    return conversation.result()
