"""Says why a child was lost, whose fault that is, and which call pays. Nothing else in this package decides any of it.

A child is lost when it ends, falls silent or talks nonsense. What it did itself is the only ground for blame: its own
exit status, its own processor time and memory, a signal that it can send itself, nonsense of its own. What befell it
is the fault of the machine, of a person or of the grader, and is nobody's mark. `explain` tells these apart:

- the fault of the work: the call, cell or file that caused the loss pays, never its neighbours (`Charges`);
- nobody knows: all of the submission is run anew, as if nothing had happened. What is lost again is tried alone, in a
  fresh child, then on a fresh engine. If it comes back each time, the work pays after all, and a person looks at it;
- not the fault of the work: likewise, but if it comes back each time, the grader has failed (`SandboxError`).
"""

import signal
import sys
from collections import Counter
from collections.abc import Collection, Hashable, Sequence
from enum import Enum
from typing import NamedTuple

from grader.calls import Call, Ended, Limits
from grader.errors import SandboxError
from grader.sandbox.activity import Doing
from grader.sandbox.channel import GoneError
from grader.sandbox.children import ProcessEnd
from grader.sandbox.clock import LateError, StalledError, processor_limit
from grader.sandbox.limits import ALONE, LAST_WORDS, MAX_CRASHES, MAX_DISTURBED, MAX_LEFT_OUT, MOST_OF_ALL, NEARLY_FULL
from grader.sandbox.replies import over_memory
from grader.sandbox.shared.wire import WireError

LOST_CHILD = (GoneError, LateError, StalledError, WireError)
# OpenBLAS, the dynamic linker and C++ end the process when they run out of memory. No exception reaches the child.
_OUT_OF_MEMORY = ("Memory allocation still failed", "Cannot allocate memory", "std::bad_alloc")
# What the processor or the C library raises in a process for what that does: no person sends these from outside.
_FAULTS = ("SIGSEGV", "SIGBUS", "SIGABRT", "SIGFPE", "SIGILL", "SIGSYS", "SIGTRAP", "SIGPIPE")
_OWN_SIGNALS = {-getattr(signal, name) for name in _FAULTS if hasattr(signal, name)}
# Windows has neither signal: no exit status there equals what is not there.
_KILLED = -signal.SIGKILL if hasattr(signal, "SIGKILL") else None
_USED_UP = -signal.SIGXCPU if hasattr(signal, "SIGXCPU") else None


class Fault(Enum):
    """Whose fault a loss is."""

    WORK = "the work's"
    UNKNOWN = "the work's if it comes back each time that it is tried alone"
    OURS = "the machine's, a person's or the grader's"


class Loss(NamedTuple):
    """The reason why a child was lost."""

    ended: Ended
    detail: str
    fault: Fault = Fault.WORK
    flag: str = ""  # why a person should look at it


_STALLS = {
    Doing.COMPUTING: Fault.OURS,  # a child cannot want a processor and not get it, but for the load of the machine
    Doing.ON_DISK: Fault.UNKNOWN,  # its own doing, if it flushes files to the disk without end
    Doing.ASLEEP: Fault.WORK,  # it had a processor whenever it wanted one, and seldom did
    Doing.UNKNOWN: Fault.UNKNOWN,
}


class DisturbedError(Exception):
    """A child was lost for the first time, and perhaps by no fault of the work: everything is to be run anew."""


class Evidence(NamedTuple):
    """What is known about a lost child, once it has ended.

    Attributes
    ----------
    end : ProcessEnd
        How the process ended.
    printed : str
        Its output, in which libraries say that they ran out of memory.
    late : str
        The words for a time that is used up.
    sealed : bool
        It can neither kill nor stop itself or the process that started it, as the self-test has shown.
    did_it : bool
        It did itself what the grader stopped it for. The disk, for one, may have been filled by somebody else.
    machine : int, optional
        MiB of memory that there are at all, for the grader and all of its children.
    """

    end: ProcessEnd
    printed: str
    late: str = ""
    sealed: bool = True
    did_it: bool = True
    machine: int | None = None


def find_cause(error: Exception, evidence: Evidence, limits: Limits) -> Loss:
    """Return why a child was lost, and whose fault that is.

    Parameters
    ----------
    error : GoneError, LateError, StalledError or WireError
        What ended the conversation.
    evidence : Evidence
        What is known about the child.
    limits : Limits
        Those of the submission.
    """
    # Where the child cannot do something to itself, somebody else did it: the kernel or a person.
    others = Fault.OURS if evidence.sealed else Fault.UNKNOWN
    match error:
        case LateError():
            return Loss(Ended.TIMEOUT, evidence.late)
        case StalledError(doing=doing):
            return Loss(Ended.TIMEOUT, str(error), _STALLS.get(doing, others))
        case WireError():
            return Loss(Ended.CRASHED, f"it wrote to the grader's connection ({error})")
        case _ if error.args:  # the grader stopped it, for too many files, threads or bytes
            return Loss(Ended.CRASHED, str(error), Fault.WORK if evidence.did_it else Fault.OURS)
        case _ if not evidence.end.known:
            return Loss(Ended.CRASHED, "the process that had started it was lost as well", others)
    return _explain_end(evidence, limits, others)


def _explain_end(evidence: Evidence, limits: Limits, others: Fault) -> Loss:
    """Return why a process ended; `others` are to blame where it cannot have ended itself like that."""
    end = evidence.end
    killed = _KILLED is not None and end.status == _KILLED
    if (killed or end.status == _USED_UP is not None) and end.computed >= processor_limit(limits) - 1:
        return Loss(Ended.TIMEOUT, "it used up its processor time")  # one second less: the kernel counts in ticks
    full = end.peak > NEARLY_FULL * limits.memory
    if killed:
        # The kernel kills where the machine, or the control group around the grader, has no memory left; and not
        # always the process that took it. The peak says whether this one did.
        if full:
            return Loss(Ended.MEMORY, f"{over_memory(limits.memory)} ({end})", Fault.UNKNOWN)
        if evidence.machine is not None and end.peak > MOST_OF_ALL * evidence.machine:
            return Loss(Ended.MEMORY, f"needed more memory than this machine can give ({end})", Fault.UNKNOWN)
        return Loss(Ended.CRASHED, f"{end}, with {end.peak} MiB in use", others)
    if end.status and (full or any(sign in evidence.printed[-LAST_WORDS:] for sign in _OUT_OF_MEMORY)):
        return Loss(Ended.MEMORY, f"{over_memory(limits.memory)} ({end})")
    return Loss(Ended.CRASHED, str(end), _blame_for(end.status, sealed=evidence.sealed))


def _blame_for(status: int | None, *, sealed: bool) -> Fault:
    """Return whose fault an end by itself is: any process of the user may send a signal that ends the child."""
    if status is None:
        return Fault.WORK
    if status in _OWN_SIGNALS:  # another work of the batch may send these, too, where nothing keeps it from that
        return Fault.WORK if sealed else Fault.UNKNOWN
    if sys.platform == "win32":  # ending another process there means to choose its exit code
        return Fault.UNKNOWN if status else Fault.WORK
    return Fault.UNKNOWN if status < 0 else Fault.WORK


class ChargedCell(NamedTuple):
    """The cell that pays for a loss, by number; `None` where no cell can pay, and the program is given up."""

    number: int | None
    loss: Loss


class Charges:
    """The account of one submission's losses.

    Parameters
    ----------
    anew : bool
        Whether the submission is run for the second time, after a loss that nobody could explain.
    """

    def __init__(self, *, anew: bool = False) -> None:
        self.given_up: dict[str, str] = {}  # functions of which no more calls are tried, and why
        self.left_out: list[int] = []  # cells that are not run again, by number
        self.alone: str | None = None  # the call that is to be asked alone
        self.renew = False  # whether a fresh engine is to do it
        self._anew = anew
        self._retried: set[str] = set()  # calls
        self._crashes: Counter[tuple[str, bool]] = Counter()
        self._doubts: Counter[Hashable] = Counter()  # losses without an explanation, by call or cell
        self._disturbed = 0  # losses that were not the work's fault

    def charge_call(self, call: Call, loss: Loss, asked: Collection[str]) -> Loss | None:
        """Charge the first unanswered call with a loss; return what it pays with, or `None` if it is tried again.

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

        Raises
        ------
        DisturbedError, SandboxError
            As of `confirm`.
        """
        name = call.function
        confirmed = self.confirm(call.id, loss, f"while `{name}` was called")
        if confirmed is None:
            self.alone = call.id
            return None
        late = confirmed.ended is Ended.TIMEOUT
        if not late and call.id not in self._retried and set(asked) != {name}:
            self._retried.add(call.id)
            return None
        if late:
            self.given_up[name] = "not tried: an earlier call of it ran out of time"
            return confirmed
        # Hidden calls are counted apart, so that public verdicts are the same with and without them.
        self._crashes[name, call.later] += 1
        if self._crashes[name, call.later] == MAX_CRASHES:
            self.given_up[name] = "not tried: three of its calls crashed"
        return confirmed

    def charge_cell(self, running: Sequence[int], loss: Loss) -> ChargedCell | None:
        """Charge the innermost running cell with a loss while loading; `None` if it is tried again.

        A child may be lost between two cells, or name one that was left out: then its news cannot be trusted.

        Raises
        ------
        DisturbedError, SandboxError
            As of `confirm`.
        """
        confirmed = self.confirm(tuple(running[-1:]), loss, "while its files were run")
        if confirmed is None:
            return None
        if not running or running[-1] in self.left_out:
            return ChargedCell(None, confirmed)
        self.left_out.append(running[-1])
        return ChargedCell(running[-1], confirmed)

    def confirm(self, place: Hashable, loss: Loss, during: str) -> Loss | None:
        """Return a loss that the work has to pay for; `None` where nobody knows yet, and it is to be tried again alone.

        Raises
        ------
        DisturbedError
            If this is the first loss without an explanation. A fresh start gives the very marks of a run that nobody
            disturbed, which going on in the middle does not: student code may have remembered something.
        SandboxError
            If a loss that is not the fault of the work comes back each time.
        """
        if loss.fault is Fault.WORK:
            return loss
        if not self._anew:
            raise DisturbedError
        self._doubts[place] += 1
        self._disturbed += loss.fault is Fault.OURS
        often = self._doubts[place] > ALONE
        if loss.fault is Fault.OURS and (often or self._disturbed > MAX_DISTURBED):
            message = (
                f"the process that runs this work was lost {self._disturbed + 1} times, and not by what the work does: "
                f"{loss.detail}, {during}. That says nothing about the work; grade it again when less else runs."
            )
            raise SandboxError(message)
        if often:
            return loss._replace(flag=f"{loss.detail}, each of {ALONE + 2} times; the system cannot tell who did that")
        self.renew = self._doubts[place] > 1
        return None

    @property
    def too_many_left_out(self) -> bool:
        """Return whether so many cells were charged that the program is given up."""
        return len(self.left_out) > MAX_LEFT_OUT
