"""The limits that a person may choose, and the only place where their defaults stand.

A module of its own, because `grade --help` shows the defaults: the rest of the vocabulary would take 5 ms more to make.
"""

from typing import NamedTuple


class Limits(NamedTuple):
    """Enforced from outside by SIGKILL. Seconds, MiB beyond the bare interpreter, bytes of output kept.

    What counts of the time is what student code uses itself: see `grader.sandbox.clock`.
    """

    call: float = 2.0
    load: float = 10.0
    submission: float = 30.0
    memory: int = 1024
    output: int = 64 * 1024
