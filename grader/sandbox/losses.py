"""Why a child was lost."""

import signal
from typing import NamedTuple

from grader.calls import Ended, Limits
from grader.sandbox.answers import over_memory
from grader.sandbox.channel import GoneError, LateError
from grader.sandbox.children import Ending
from grader.sandbox.limits import LAST_WORDS, NEARLY_FULL
from grader.sandbox.shared.wire import WireError

LOST_CHILD = (GoneError, LateError, WireError)
_OUT_OF_MEMORY = ("Memory allocation still failed", "Cannot allocate memory", "std::bad_alloc")


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
    full = ending.peak > NEARLY_FULL * limits.memory or any(sign in printed[-LAST_WORDS:] for sign in _OUT_OF_MEMORY)
    if killed or (full and ending.status):
        return Loss(Ended.MEMORY, f"{over_memory(limits.memory)} ({ending})")
    return Loss(Ended.CRASHED, str(ending))
