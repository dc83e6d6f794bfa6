"""Says why a child was lost and which call pays for the loss. Nothing else in this package decides either.

A child is lost when it ends, falls silent or talks nonsense. The loss costs the call, cell or file that caused it,
never its neighbours, as far as the cause can be told:

- why (`explain`): from how the conversation ended, how the process ended, and what it printed last;
- which call pays, and whether it is tried once more before (`Charges.charge_call`);
- which cell or file pays, while the program is loaded (`Charges.charge_cell`).
"""

import signal
from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from grader.calls import Call, Ended, Limits
from grader.sandbox.channel import GoneError, LateError
from grader.sandbox.children import ProcessEnd
from grader.sandbox.limits import LAST_WORDS, MAX_CRASHES, MAX_LEFT_OUT, NEARLY_FULL
from grader.sandbox.replies import over_memory
from grader.sandbox.shared.wire import WireError

LOST_CHILD = (GoneError, LateError, WireError)
# OpenBLAS, the dynamic linker and C++ end the process when they run out of memory. No exception reaches the child.
_OUT_OF_MEMORY = ("Memory allocation still failed", "Cannot allocate memory", "std::bad_alloc")


class Loss(NamedTuple):
    """The reason why a child was lost."""

    ended: Ended
    detail: str


def explain(error: Exception, end: ProcessEnd, printed: str, limits: Limits, late: str) -> Loss:
    """Return why a child was lost.

    Parameters
    ----------
    error : GoneError, LateError or WireError
        What ended the conversation.
    end : ProcessEnd
        How the process ended.
    printed : str
        The output, in which libraries say that they ran out of memory.
    limits : Limits
        Those of the submission.
    late : str
        The words for a deadline that passed.
    """
    match error:
        case LateError():
            return Loss(Ended.TIMEOUT, late)
        case WireError():
            return Loss(Ended.CRASHED, f"it wrote to the grader's connection ({error})")
        case _ if error.args:  # the grader stopped it: it wrote too much to disk
            return Loss(Ended.CRASHED, str(error))
    if end.status is not None and end.status == -getattr(signal, "SIGXCPU", 0):
        return Loss(Ended.TIMEOUT, "used up its processor time")
    # SIGKILL that the grader did not send comes from the kernel, when the machine ran out of memory.
    killed = end.status == -getattr(signal, "SIGKILL", 0)
    full = end.peak > NEARLY_FULL * limits.memory or any(sign in printed[-LAST_WORDS:] for sign in _OUT_OF_MEMORY)
    if killed or (full and end.status):
        return Loss(Ended.MEMORY, f"{over_memory(limits.memory)} ({end})")
    return Loss(Ended.CRASHED, str(end))


class Charges:
    """The account of one submission's losses."""

    def __init__(self) -> None:
        self.given_up: dict[str, str] = {}  # functions of which no more calls are tried, and why
        self.left_out: list[int] = []  # cells that are not run again, by number
        self._retried: set[str] = set()  # calls
        self._crashes: Counter[tuple[str, bool]] = Counter()

    def charge_call(self, call: Call, loss: Loss, asked: Collection[str]) -> bool:
        """Charge the first unanswered call with a loss; return whether the call pays now or, if not, is tried again.

        A crash may be the late effect of another function, which wrote over memory or left a thread behind. So a call
        gets one more child, a fresh one, unless the lost child had been asked no other function. A call that timed out
        gets none: it would cost its time limit once more.

        Parameters
        ----------
        call : Call
            The first call that the lost child left unanswered.
        loss : Loss
            Why it was lost.
        asked : collection of str
            The functions that the lost child had been asked.
        """
        name = call.function
        late = loss.ended is Ended.TIMEOUT
        if not late and call.id not in self._retried and set(asked) != {name}:
            self._retried.add(call.id)
            return False
        if late:
            self.given_up[name] = "not tried: an earlier call of it ran out of time"
            return True
        # Hidden calls are counted apart, so that public verdicts are the same with and without them.
        self._crashes[name, call.later] += 1
        if self._crashes[name, call.later] == MAX_CRASHES:
            self.given_up[name] = "not tried: three of its calls crashed"
        return True

    def charge_cell(self, running: Sequence[int]) -> int | None:
        """Charge the innermost running cell with a loss while loading; return its number, or `None` if none can pay.

        A child may be lost between two cells, or name one that was left out: then its news cannot be trusted.
        """
        if not running or running[-1] in self.left_out:
            return None
        self.left_out.append(running[-1])
        return running[-1]

    @property
    def too_many_left_out(self) -> bool:
        """Return whether so many cells were charged that the program is given up."""
        return len(self.left_out) > MAX_LEFT_OUT
