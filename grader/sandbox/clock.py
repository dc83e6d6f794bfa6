"""Counts the time of student code: what a child does itself, and nothing that the machine or a neighbour does to it.

What counts is the processor time that a child uses, and the time that it sleeps. Time in which it is ready to run and
gets no processor, waits for a disk, or is stopped does not count: on a busy machine right work would lose points for
it. It never counts more than has passed on the clock, however many threads compute at once. So nobody is late before
the limit has passed on the clock, and being late means to be looked at once more.

What the machine does is bounded, too, by a ceiling on the clock. A child that reaches it has not used up its time:
`losses` tells whose fault that is.
"""

import time

from grader.limits import Limits
from grader.sandbox.activity import Doing, look_at, processor_time
from grader.sandbox.limits import CEILING, IDLE, LEAST_CEILING, MOMENT, NOTHING, SOON, SPARE_CPU, WATCH


class LateError(Exception):
    """A child has used up its time.

    Parameters
    ----------
    seconds : float
        The limit.
    slept : float
        How much of that time the child slept.
    """

    def __init__(self, seconds: float = 0.0, slept: float = 0.0) -> None:
        super().__init__(seconds, slept)
        self.seconds, self.slept = seconds, slept

    def __str__(self) -> str:
        """Return what the child did, in words."""
        if self.slept > self.seconds / 2:
            return f"it waited longer than {self.seconds:g} s"
        return f"it used {self.seconds:g} s of processor time"


class StalledError(Exception):
    """A child has time left and still does not get on: it is stopped, or gets no processor.

    Parameters
    ----------
    passed : float
        Seconds on the clock.
    doing : Doing
        What the child did most of the time.
    """

    def __init__(self, passed: float, doing: Doing) -> None:
        super().__init__(passed, doing)
        self.passed, self.doing = passed, doing

    def __str__(self) -> str:
        """Return what befell the child, in words."""
        return f"{_STALLED.get(self.doing, _STARVED)} for {self.passed:.0f} s"


_STALLED = {
    Doing.STOPPED: "it was stopped",
    Doing.ON_DISK: "it waited for a disk",
    Doing.ASLEEP: "it slept again and again",
}
_STARVED = "it waited for a processor"


def processor_limit(limits: Limits) -> int:
    """Return the seconds of processor time after which the kernel ends a child (`RLIMIT_CPU`), loading included.

    A second line behind this clock, for a child whose grader was stopped.
    """
    return int(limits.submission + limits.load) + SPARE_CPU


def longest(limits: Limits) -> float:
    """Return the most seconds on the clock that running a submission takes, on a machine that just gets on."""
    return 2 * CEILING * (limits.submission + limits.load)  # it may have to be run anew: see `losses`


class Allowance:
    """The time that a child has for one thing.

    Parameters
    ----------
    seconds : float
        How much of its own time the child may use.
    pid : int, optional
        The child. Without one, all time on the clock counts.
    most : float, optional
        Seconds on the clock after which it is not waited for any longer.
    """

    # One is made for each call, and for most of them the answer is there already: so the rest is left to `wait`.
    __slots__ = (
        *("seconds", "pid", "began", "deadline", "waited", "ceiling", "slept", "unseen"),
        *("_most", "_before", "_last", "_looked", "_slept_last", "_seen"),
    )

    def __init__(self, seconds: float, pid: int | None = None, most: float = float("inf")) -> None:
        self.seconds, self.pid, self._most = seconds, pid, most
        self.began = time.monotonic()
        self.deadline = self.began + seconds  # nobody is late before this moment
        self.waited = False

    def wait(self) -> None:
        """Note that the child is really waited for: what it used before was for something else. Done once."""
        self.waited = True
        self.ceiling = self.began + min(max(CEILING * self.seconds, LEAST_CEILING), self._most)
        self.slept = self.unseen = 0.0
        # The processor time of the child now, and when it was last looked at.
        self._before = self._last = None if self.pid is None else processor_time(self.pid)
        self._looked = time.monotonic()
        self._slept_last = False
        self._seen: dict[Doing, int] = {}  # how often it was seen doing what

    def look(self, now: float) -> None:
        """Look at the child; count the time since the last look as slept where it sleeps."""
        if self.pid is None:
            return
        computed, doing = look_at(self.pid)
        self._seen[doing] = self._seen.get(doing, 0) + 1
        passed, self._looked = now - self._looked, now
        # Two looks are not so far apart unless the grader itself was stopped, and knows nothing of the time between.
        unseen = max(passed - 2 * WATCH, 0.0)
        passed -= unseen
        self.ceiling += unseen
        self.unseen += unseen
        if computed is None:
            return
        if self._last is None or self._before is None:  # the first look, on a system where looking is dear
            self._before, self._last = computed - passed, computed
            return
        used, self._last = computed - self._last, computed
        # A look may meet a busy child at a moment in which it waits for something: but it has used a processor.
        asleep = doing in (Doing.ASLEEP, Doing.UNKNOWN) and used < IDLE * passed
        self._slept_last = asleep
        if asleep:
            self.slept += max(passed - used, 0.0)

    def count(self, now: float) -> float:
        """Return the seconds that count so far, as of the last look."""
        passed = now - self.began
        if self._last is None or self._before is None:
            return passed
        return min(passed, self._last - self._before + self.slept)

    def extend(self, now: float) -> None:
        """Look once more at a child that is late, and give it the time that it has left.

        Raises
        ------
        LateError
            If it has none left.
        StalledError
            If it has, and the ceiling is reached.
        """
        self.look(now)
        left = self.seconds - self.count(now)
        if self.pid is None or left <= NOTHING:
            raise LateError(self.seconds, self.slept)
        if now >= self.ceiling:
            raise StalledError(now - self.began, max(self._seen, key=self._seen.__getitem__))
        self.deadline = min(now + max(left, SOON), self.ceiling)

    def settle(self) -> float:
        """Return the seconds that count in the end: a moment is taken from the clock, which is cheaper."""
        if not self.waited:  # what was waited for was there already
            return 0.0
        now = time.monotonic()
        if self.pid is not None and self._last is not None and now - self.began > MOMENT:
            before, self._last = self._last, processor_time(self.pid)
            if self._slept_last and self._last is not None:  # it was asleep when it was last looked at
                self.slept += max(min(now - self._looked, WATCH) - (self._last - before), 0.0)
        return self.count(now)


class Budget:
    """The time of one submission, over all that its children are asked."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.left = seconds, seconds
        self._most = max(CEILING * seconds, LEAST_CEILING)
        self._present: Allowance | None = None

    def allow(self, seconds: float, pid: int | None = None) -> Allowance:
        """Begin to wait for a child, which has so many seconds, or as many as are left."""
        left = self.left
        self._present = Allowance(seconds if seconds < left else max(left, 0.0), pid, self._most)
        return self._present

    def settle(self) -> None:
        """Take off what the child has used since `allow`; a second time does nothing."""
        present, self._present = self._present, None
        if present is not None and present.waited:
            self.left -= present.settle()
            self._most -= time.monotonic() - present.began - present.unseen

    @property
    def used_up(self) -> bool:
        """Whether nothing is left."""
        return self.left <= NOTHING

    def __str__(self) -> str:
        return f"the submission's time budget of {self.seconds:g} s is used up"
