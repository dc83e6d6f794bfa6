"""Counts the time of student code: what a child does itself, and nothing that the machine or a neighbour does to it.

What counts is the processor time that a child uses, and the time that it sleeps. Time in which it is ready to run and
gets no processor, waits for a disk, or is stopped does not count: on a busy machine right work would lose points for
it. It never counts more than has passed on the clock, however many threads compute at once. So nobody is late before
the limit has passed on the clock, and being late means to be looked at once more.

What the machine does is bounded, too, by a ceiling on the clock. A child that reaches it has not used up its time:
`losses` tells whose fault that is.
"""

import time
from collections import Counter

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


_STALLED = {Doing.STOPPED: "it was stopped", Doing.ON_DISK: "it waited for a disk"}
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

    def __init__(self, seconds: float, pid: int | None = None, most: float = float("inf")) -> None:
        self.seconds, self.pid = seconds, pid
        self.began = time.monotonic()
        self.deadline = self.began + seconds  # nobody is late before this moment
        self.ceiling = self.began + min(max(CEILING * seconds, LEAST_CEILING), most)
        self.slept = self.unseen = 0.0
        self._waited = False
        self._before: float | None = None  # processor time of the child when it was first waited for
        self._last: float | None = None  # the same when it was last looked at
        self._looked = self.began
        self._seen: Counter[Doing] = Counter()

    def wait(self) -> None:
        """Note that the child is really waited for: what it used before was for something else."""
        if not self._waited:
            self._waited = True
            self._looked = time.monotonic()
            if self.pid is not None:
                self._before = self._last = processor_time(self.pid)

    def look(self, now: float) -> None:
        """Look at the child; count the time since the last look as slept where it sleeps."""
        if self.pid is None:
            return
        computed, doing = look_at(self.pid)
        self._seen[doing] += 1
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
        asleep = doing is Doing.ASLEEP or (doing is Doing.UNKNOWN and used < IDLE * passed)
        if asleep:
            self.slept += max(passed - used, 0.0)

    def count(self, now: float) -> float:
        """Return the seconds that count so far, as of the last look."""
        if not self._waited:  # what was waited for was there already
            return 0.0
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
            raise StalledError(now - self.began, self._seen.most_common(1)[0][0])
        self.deadline = min(now + max(left, SOON), self.ceiling)

    def settle(self) -> float:
        """Return the seconds that count in the end: a moment is taken from the clock, which is cheaper."""
        now = time.monotonic()
        if self.pid is not None and self._waited and now - self.began > MOMENT:
            self._last = processor_time(self.pid) if self._last is not None else None
        return self.count(now)


class Budget:
    """The time of one submission, over all that its children are asked."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.left = seconds, seconds
        self._most = max(CEILING * seconds, LEAST_CEILING)
        self._present: Allowance | None = None

    def allow(self, seconds: float, pid: int | None = None) -> Allowance:
        """Begin to wait for a child, which has so many seconds, or as many as are left."""
        self._present = Allowance(max(min(seconds, self.left), 0.0), pid, self._most)
        return self._present

    def settle(self) -> None:
        """Take off what the child has used since `allow`; a second time does nothing."""
        if self._present is not None:
            self.left -= self._present.settle()
            self._most -= time.monotonic() - self._present.began - self._present.unseen
            self._present = None

    @property
    def used_up(self) -> bool:
        """Whether nothing is left."""
        return self.left <= NOTHING

    def __str__(self) -> str:
        return f"the submission's time budget of {self.seconds:g} s is used up"
