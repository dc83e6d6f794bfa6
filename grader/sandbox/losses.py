"""Why a child was lost, and how much time its submission has left."""

import signal
import time
from typing import NamedTuple

from grader.calls import Ended, Limits
from grader.sandbox.answers import over_memory
from grader.sandbox.channel import GoneError, LateError
from grader.sandbox.children import Ending
from grader.sandbox.shared.wire import WireError

LOST_CHILD = (GoneError, LateError, WireError)
NOTHING = 0.001  # seconds
_OUT_OF_MEMORY = ("Memory allocation still failed", "Cannot allocate memory", "std::bad_alloc")
_NEARLY_FULL = 0.7  # of the memory limit, in resident memory


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
        return self.left <= NOTHING

    def __str__(self) -> str:
        return f"the submission's time budget of {self.seconds:g} s is used up"


class Loss(NamedTuple):
    """Why a child was lost."""

    ended: Ended
    detail: str


def explain(error: Exception, ending: Ending, printed: str, limits: Limits, late: str) -> Loss:
    """Say why a child was lost.

    Parameters
    ----------
    error : GoneError, LateError or WireError
        What ended the conversation.
    ending : Ending
        How the process ended.
    printed : str
        What it printed: libraries say there when they run out of memory.
    limits : Limits
        For the memory limit.
    late : str
        What to say of a deadline that passed.
    """
    match error:
        case LateError():
            return Loss(Ended.TIMEOUT, late)
        case WireError():
            return Loss(Ended.CRASHED, f"it wrote to the grader's connection ({error})")
        case _ if error.args:
            return Loss(Ended.CRASHED, str(error))
    if ending.status is not None and ending.status == -getattr(signal, "SIGXCPU", 0):
        return Loss(Ended.TIMEOUT, "used up its processor time")
    killed = ending.status == -getattr(signal, "SIGKILL", 0)  # and not by us
    full = ending.peak > _NEARLY_FULL * limits.memory or any(sign in printed[-2000:] for sign in _OUT_OF_MEMORY)
    if killed or (full and ending.status):
        return Loss(Ended.MEMORY, f"{over_memory(limits.memory)} ({ending})")
    return Loss(Ended.CRASHED, str(ending))
