"""Runs one submission: loads it, asks its functions, and goes on in a fresh child where one is lost.

Which call pays for a lost child is decided in `losses`.
"""

import contextlib
from collections.abc import Iterable, Mapping, Sequence

from grader.calls import Call, Ended, Further, Limits, Load, Opaque, Program, Reply, Run
from grader.errors import SandboxError
from grader.sandbox import memory
from grader.sandbox.channel import GoneError
from grader.sandbox.clock import Budget
from grader.sandbox.engines import Engine
from grader.sandbox.follower import Follower
from grader.sandbox.isolation import is_sealed
from grader.sandbox.limits import AT_ONCE, GRACE, LARGE, MOST_HELD, SENDING
from grader.sandbox.losses import LOST_CHILD, Charges, DisturbedError, Evidence, Loss, find_cause
from grader.sandbox.requests import Frame
from grader.sandbox.session import Session, draw_number, draw_numbers
from grader.sandbox.shared.wire import WireError


class Conversation:
    """One submission's run, over as many children as it takes."""

    def __init__(self, engine: Engine, program: Program, limits: Limits, charges: Charges) -> None:
        self.engine, self.program, self.limits, self.charges = engine, program, limits, charges
        self.budget = Budget(limits.submission)
        self.follower = Follower(program, limits, self.budget, self.charges)
        self.replies: dict[str, Reply] = {}
        self.held = 0  # bytes of large results
        self.output: list[str] = []
        self.session: Session | None = None
        self.asked: set[str] = set()  # functions that the present child was asked
        self.hopeless: Loss | None = None  # why the program cannot be loaded at all

    def ready(self) -> Session | None:
        """Return a session whose program is loaded; `None` where it cannot be loaded or time is up."""
        while self.session is None and self.hopeless is None and not self.budget.used_up:
            if self.charges.renew:
                self.engine.renew()
                self.charges.renew = False
            self.session = self.engine.session(self.limits)
            self.asked = set()
            try:
                self.follower.load(self.session)
            except LOST_CHILD as error:
                loss = self._lose(error)
                self.hopeless = None if self.follower.leave_out(loss) else loss
        return self.session

    def ask(self, groups: Sequence[Sequence[Call]]) -> None:
        """Ask the calls of several functions, one group for each, in this order; as many as possible at once."""
        sizes = {group[0].function: len(group) for group in groups}
        pending = [list(group) for group in groups]
        while pending := self._still_to_ask(pending):
            session = self.ready()
            if session is None or self.budget.used_up:
                for group in pending:
                    self._give_up(group, self._out_of_reach())
                return
            taken = self._take_frames(pending, sizes)
            loss = self._exchange(session, [frame for _, frame in taken])
            for group, frame in taken:
                group[:0] = [call for call in frame.calls if call.id not in self.replies]
            self.charges.alone = None
            # Calls are answered in order, so the first without a reply is the one during which the child was lost.
            failed = next((group for group, _ in taken if group), None)
            if loss is None or failed is None:
                continue
            if (charged := self.charges.charge_call(failed[0], loss, self.asked)) is not None:
                self._give_up([failed.pop(0)], charged)

    def _still_to_ask(self, groups: Sequence[list[Call]]) -> list[list[Call]]:
        """Return the groups that have calls left, after skipping those of functions that are given up.

        Where time is up for all functions, that is the reason which is told.
        """
        for group in groups:
            why = self.charges.given_up.get(group[0].function) if group else None
            if why and not self.budget.used_up:
                self._give_up(group, Loss(Ended.SKIPPED, why))
                group.clear()
        return [group for group in groups if group]

    def _take_frames(self, pending: Sequence[list[Call]], sizes: Mapping[str, int]) -> list[tuple[list[Call], Frame]]:
        """Take from the groups the calls that can be asked at once, none of which needs the result of another.

        A large array travels alone. A child that cannot take it in then loses the call that it belongs to, and not one
        before it. So does a call of which nobody knows whether it is what its child was lost by.
        """
        taken: list[tuple[list[Call], Frame]] = []
        outstanding: set[str] = set()
        packer, size = self.engine.packer, 0
        try:
            for group in pending:
                if group[0].id == self.charges.alone:
                    frame = packer.take_frame([group.pop(0)], self.replies, self._skip, whole=False)
                    return [(group, frame)] if frame.calls else []
                if packer.needs(group, outstanding):
                    break
                frame = packer.take_frame(group, self.replies, self._skip, whole=len(group) == sizes[group[0].function])
                size += len(frame.content)
                if taken and size > AT_ONCE:
                    group[:0] = frame.calls
                    break
                if frame.calls:
                    taken.append((group, frame))
                    outstanding |= {call.id for call in frame.calls}
                if group:
                    break
        except WireError as error:
            message = f"what a submission should be asked cannot be sent: {error}"
            raise SandboxError(message) from error
        return taken

    def _exchange(self, session: Session, frames: Sequence[Frame]) -> Loss | None:
        """Send frames in one message and take the replies as they come; return why some are missing, if some are.

        All functions in one message instead of one message for each: half the wake-ups, and a quarter of the time.
        """
        # A reply has to name a number that was drawn for its call. Student code that answers before it is asked, or
        # twice, would have to guess 56 bits.
        numbered = [list(zip(frame.calls, draw_numbers(len(frame.calls)), strict=True)) for frame in frames]
        asked = [pair for pairs in numbered for pair in pairs]
        parts = [
            {"function": frame.calls[0].function, "seqs": [seq for _, seq in pairs], "calls": frame.content}
            for frame, pairs in zip(frames, numbered, strict=True)
        ]
        pid = session.child.pid
        try:
            if asked:
                asking = {"seq": draw_number(), "do": "call", "parts": parts}
                session.send(asking, self.budget.allow(self.limits.call + SENDING, pid))
                self.budget.settle()
            for left, (call, seq) in zip(range(len(asked), 0, -1), asked, strict=True):
                self.asked.add(call.function)
                session.channel.gather(left)
                limit = self.limits.call * (1 if call.again is None else 2)
                told = session.receive(seq, self.budget.allow(limit, pid))
                reply = self._bounded(session.reader.reply(told), session.channel.size)
                self.replies[call.id] = self._explained(call, reply)
                self.budget.settle()
        except LOST_CHILD as error:
            return self._lose(error)
        return None

    def _lose(self, error: Exception) -> Loss:
        """End the child that was lost; return why."""
        self.budget.settle()
        session, self.session = self.session, None
        assert session is not None  # noqa: S101 (errors of a session come from a session)
        # Only a child that is ending by itself has an exit status to wait for.
        end = session.close(GRACE if isinstance(error, GoneError) and not error.args else 0.0)
        self._keep(session)
        late = str(self.budget) if self.budget.used_up else str(error)
        sealed, did_it = is_sealed(self.engine.isolation()), session.watch.was_it()
        return find_cause(error, Evidence(end, session.printed(), late, sealed, did_it, memory.total()), self.limits)

    def _bounded(self, reply: Reply, size: int) -> Reply:
        """Return a reply, without its large result where the large ones before it take up enough memory."""
        if size <= LARGE:
            return reply
        if self.held + size > MOST_HELD:
            what = Opaque("result", f"the large results of this work take more than {MOST_HELD >> 20} MiB together")
            return reply._replace(value=what, echo=None)
        self.held += size
        return reply

    def _explained(self, call: Call, reply: Reply) -> Reply:
        """Return a reply that names the file or cell which would have defined a missing function, had it run."""
        if reply.ended in (Ended.MISSING, Ended.LOST) and (why := self.follower.explain(call.function)):
            return Reply(why.ended, detail=why.detail, flag=why.flag)
        return reply

    def _out_of_reach(self) -> Loss:
        if self.budget.used_up:
            return Loss(Ended.TIMEOUT, str(self.budget))
        return self.hopeless._replace(ended=Ended.LOST) if self.hopeless else Loss(Ended.LOST, "")

    def _skip(self, call: Call, why: str) -> None:
        self._give_up([call], Loss(Ended.SKIPPED, why))

    def _give_up(self, calls: Sequence[Call], loss: Loss) -> None:
        for call in calls:
            self.replies[call.id] = Reply(loss.ended, detail=loss.detail, flag=loss.flag)

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
        loads, notes = tuple(self.follower.failed.values()), tuple(self.follower.notes)
        return Run(self.replies, loads, notes, output, self.engine.isolation())


def run(engine: Engine, program: Program, calls: Sequence[Call], limits: Limits, further: Further | None = None) -> Run:
    """Run all of one submission.

    Parameters
    ----------
    engine : Engine
        Starts the children; it serves one run at a time.
    program : Program
        The work.
    calls : sequence of Call
        Asked in the order in which their functions first appear, those that are `later` after all others. A `Ref` must
        point to an earlier call in that order.
    limits : Limits
        For one call, for one file, and for all of it.
    further : callable, optional
        Returns calls that are asked besides, once all are answered that are not `later`.

    Returns
    -------
    Run
        A reply for each call, whatever happened.

    Raises
    ------
    SandboxError
        If no child can be started or kept, or a call cannot be sent; never for anything that a submission does.
    """
    with contextlib.suppress(DisturbedError):
        conversation = Conversation(engine, program, limits, Charges())
        asked = _converse(conversation, calls, further)
        if not _was_short(conversation, asked):
            return conversation.result()
    conversation = Conversation(engine, program, limits, Charges(anew=True))
    _converse(conversation, calls, further)
    return conversation.result()


def _converse(conversation: Conversation, calls: Sequence[Call], further: Further | None = None) -> Sequence[Call]:
    """Ask the calls, and those that are due then; return all of them."""
    try:
        conversation.ready()
        conversation.ask(_group(call for call in calls if not call.later))
        due = further(conversation.replies) if further is not None else ()
        conversation.ask(_group(call for call in due if not call.later))
        conversation.ask(_group(call for call in (*calls, *due) if call.later))
    finally:
        conversation.close()
    return (*calls, *due)


def _group(calls: Iterable[Call]) -> list[list[Call]]:
    """Return the calls of each function together."""
    groups: dict[str, list[Call]] = {}
    for call in calls:
        groups.setdefault(call.function, []).append(call)
    return list(groups.values())


def _was_short(conversation: Conversation, calls: Sequence[Call]) -> bool:
    """Return whether it was the machine that had no memory, and not the work that asked for too much.

    A `MemoryError` looks the same. But it comes back where the work is the cause, so a fresh child is asked for the
    first of them: 5 ms for work that runs out of memory, and nothing for all other.
    """
    short = [call for call in calls if _is_short(conversation.replies[call.id])][:1]
    failed = {name for name, load in conversation.follower.failed.items() if _is_short(load)}
    if not short and not failed:
        return False
    again = Conversation(conversation.engine, conversation.program, conversation.limits, Charges(anew=True))
    _converse(again, short)
    failed_again = {name for name, load in again.follower.failed.items() if _is_short(load)}
    return failed != failed_again or not all(_is_short(again.replies[call.id]) for call in short)


def _is_short(ended: Reply | Load) -> bool:
    return ended.ended is Ended.MEMORY and ended.error is not None
