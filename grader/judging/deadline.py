"""A limit on the time that comparing one submission's answers takes.

This limit is a safety net. Every step takes time in proportion to the size of the answers, and that size is bounded:
judging takes milliseconds, and a few seconds where every answer is as large and as odd as the sandbox lets through. If
one submission takes longer all the same, that submission loses points rather than hold up the rest of the class.
"""

import time

LONGEST = 20.0  # seconds of this thread's processor time: a busy machine makes nobody late
_READING = 0.5  # the share of that time after which no further answer is read, so that some is left to judge the rest


class Deadline:
    """A clock that the judging looks at between two steps, each of which is short."""

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
