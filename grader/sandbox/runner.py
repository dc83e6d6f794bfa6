"""Runs one submission: loads it, asks its functions, and starts over in a fresh child where one is lost.

A crash or a timeout costs the call, cell or file that caused it, never its neighbours.
"""

from collections.abc import Sequence

from grader.errors import SandboxError
from grader.sandbox.calls import Call, Ended, Limits, Program, Reply, Run
from grader.sandbox.channel import GoneError
from grader.sandbox.engines import Engine
from grader.sandbox.loads import Loads
from grader.sandbox.losses import LOST_CHILD, Budget, Loss, explain
from grader.sandbox.requests import Frame
from grader.sandbox.session import Session, number
from grader.sandbox.wire import WireError

MAX_CRASHES = 3  # of one function
SENDING = 1.0  # seconds more for a frame of arguments to be taken
GRACE = 0.3  # seconds a child that closed its connection gets to end by itself, so that its status is known


class Conversation:
    """One submission's run, over as many children as it takes."""

    def __init__(self, engine: Engine, program: Program, limits: Limits) -> None:
        self.engine, self.program, self.limits = engine, program, limits
        self.budget = Budget(limits.submission)
        self.loads = Loads(program, limits, self.budget)
        self.replies: dict[str, Reply] = {}
        self.output: list[str] = []
        self.session: Session | None = None
        self.asked: set[str] = set()  # functions that the present child was asked
        self.retried: set[str] = set()  # calls
        self.given_up: dict[str, str] = {}  # functions of which no more calls are tried, and why
        self.hopeless: Loss | None = None  # the program cannot be loaded at all

    def ready(self) -> Session | None:
        """Return a session whose program is loaded; `None` where that cannot be had."""
        while self.session is None and self.hopeless is None and not self.budget.used_up:
            self.session = self.engine.session(self.program, self.limits)
            self.asked = set()
            try:
                self.loads.run(self.session)
            except LOST_CHILD as error:
                loss = self._lose(error, self.limits.load)
                self.hopeless = None if self.loads.blame(loss) else loss
        return self.session

    def ask(self, calls: Sequence[Call]) -> None:
        """Ask all calls of one function."""
        pending, crashes = list(calls), 0
        if why := self.given_up.get(calls[0].function):
            self._give_up(pending, Loss(Ended.SKIPPED, why))
            return
        while pending:
            session = self.ready()
            if session is None or self.budget.used_up:
                self._give_up(pending, self._out_of_reach())
                return
            chosen = self._take_frame(pending, whole=len(pending) == len(calls))
            loss = self._exchange(session, chosen)
            pending[:0] = [call for call in chosen.calls if call.id not in self.replies]
            if loss is None or not pending or self._try_again(pending[0], loss):
                continue
            self._give_up([pending.pop(0)], loss)
            crashes += loss.ended is not Ended.TIMEOUT
            if self.budget.used_up:
                continue
            if loss.ended is Ended.TIMEOUT or crashes == MAX_CRASHES:
                why = "an earlier call of it ran out of time" if crashes < MAX_CRASHES else "three of its calls crashed"
                self.given_up[calls[0].function] = f"not tried: {why}"
                self._give_up(pending, Loss(Ended.SKIPPED, f"not tried: {why}"))
                return

    def _take_frame(self, pending: list[Call], *, whole: bool) -> Frame:
        try:
            return self.engine.packer.take_frame(pending, self.replies, self._skip, whole=whole)
        except WireError as error:
            msg = f"what a submission should be asked cannot be sent: {error}"
            raise SandboxError(msg) from error

    def _exchange(self, session: Session, chosen: Frame) -> Loss | None:
        """Send calls of one function in one frame and take the replies as they come; return why some are missing."""
        if not chosen.calls:
            return None
        function = chosen.calls[0].function
        self.asked.add(function)
        seqs = [number() for _ in chosen.calls]
        limit = self.limits.call
        message = {"seq": number(), "do": "call", "function": function, "seqs": seqs, "calls": chosen.content}
        try:
            session.send(message, self.budget.deadline(limit + SENDING))
            self.budget.stop()
            for left, (call, seq) in zip(range(len(seqs), 0, -1), zip(chosen.calls, seqs, strict=True), strict=True):
                session.channel.gather(left)
                limit = self.limits.call * (1 if call.again is None else 2)
                told = session.receive(seq, self.budget.deadline(limit))
                self.replies[call.id] = self._explained(call, session.reader.reply(told))
                self.budget.stop()
        except LOST_CHILD as error:
            return self._lose(error, limit)
        return None

    def _lose(self, error: Exception, limit: float) -> Loss:
        """End the child that was lost; say why."""
        self.budget.stop()
        session, self.session = self.session, None
        assert session is not None  # noqa: S101 - errors of a session come from a session
        ending = session.close(GRACE if isinstance(error, GoneError) and not error.args else 0.0)
        self._keep(session)
        late = str(self.budget) if self.budget.used_up else f"no result within {limit:g} s"
        return explain(error, ending, session.printed(), self.limits, late)

    def _try_again(self, call: Call, loss: Loss) -> bool:
        """Whether a crash may be the late effect of another function: the call gets one more child, a fresh one."""
        if loss.ended is Ended.TIMEOUT or call.id in self.retried or self.asked == {call.function}:
            return False
        self.retried.add(call.id)
        return True

    def _explained(self, call: Call, reply: Reply) -> Reply:
        """Say what became of the file or the cell that would have defined a name."""
        if reply.ended in (Ended.MISSING, Ended.LOST) and (why := self.loads.explain(call.function)):
            return Reply(Ended.LOST, detail=why)
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

    def _keep(self, session: Session) -> None:
        printed = session.printed()
        if printed and printed not in self.output:  # each further child prints what loading prints
            self.output.append(printed)

    def close(self) -> None:
        """End the last child."""
        if self.session is not None:
            self.session.close()
            self._keep(self.session)
            self.session = None

    def result(self) -> Run:
        """Return all that the submission gave."""
        output = "\n".join(self.output)[: 2 * self.limits.output]
        loads, notes = tuple(self.loads.failed.values()), tuple(self.loads.notes)
        return Run(self.replies, loads, notes, output, self.engine.isolation())


def run(engine: Engine, program: Program, calls: Sequence[Call], limits: Limits) -> Run:
    """Run all of one submission.

    Parameters
    ----------
    engine : Engine
        Serves one run at a time.
    program : Program
        The work, as text.
    calls : sequence of Call
        Asked in the order in which their functions first appear, those that are `later` after all others; a `Ref` must
        point to an earlier call in that order.
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
    groups: dict[tuple[bool, str], list[Call]] = {}
    for call in sorted(calls, key=lambda call: call.later):
        groups.setdefault((call.later, call.function), []).append(call)
    conversation = Conversation(engine, program, limits)
    try:
        conversation.ready()
        for asked in groups.values():
            conversation.ask(asked)
    finally:
        conversation.close()
    return conversation.result()
