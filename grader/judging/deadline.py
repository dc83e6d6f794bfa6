"""A limit on the time that comparing one submission's answers takes.

Every step is linear in what came back, and what may come back is bounded, so that this is a net below: judging takes
milliseconds, and a few seconds where each answer is as large and odd as a child may send. Should something take longer
all the same, it is the work that pays, not the class that waits behind it.
"""

import time

LONGEST = 20.0  # seconds of this thread's processor time: a busy machine makes nobody late
_READING = 0.5  # of them, after which no further answer is read, so that some time is left to judge those that were


class Deadline:
    """Tells whether time is up. It is asked between two steps; none of them takes long."""

    def __init__(self, seconds: float = LONGEST) -> None:
        self.seconds = seconds
        self._start = time.thread_time()

    @property
    def reading_is_over(self) -> bool:
        """Whether no further answer is to be read."""
        return self._used > _READING * self.seconds

    @property
    def is_over(self) -> bool:
        """Whether nothing further is to be judged."""
        return self._used > self.seconds

    @property
    def _used(self) -> float:
        return time.thread_time() - self._start

    def __str__(self) -> str:
        return f"the answers of this work took longer than {self.seconds:g} s to compare"
