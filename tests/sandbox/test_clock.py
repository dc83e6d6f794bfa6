"""Which time counts. A stand-in tells what a child does, so that each case takes no time."""

import pytest

from grader.sandbox import clock
from grader.sandbox.activity import Doing, Glance
from grader.sandbox.clock import Allowance, Budget, LateError, StalledError
from grader.sandbox.limits import CEILING, LEAST_CEILING, WATCH


class World:
    """A clock on the wall and one child, which do as a test says."""

    def __init__(self):
        self.now, self.computed = 1000.0, 5.0
        self.doing = Doing.COMPUTING

    def look_at(self, _pid):
        return Glance(self.computed, self.doing)

    def pass_by(self, allowance, seconds, *, computing=0.0):
        """Let time pass in looks, of which the child computes a share."""
        until = self.now + seconds
        while self.now < until - 1e-9:
            self.now += WATCH
            self.computed += WATCH * computing
            allowance.look(self.now)


@pytest.fixture
def world(monkeypatch):
    made = World()
    monkeypatch.setattr(clock.time, "monotonic", lambda: made.now)
    monkeypatch.setattr(clock, "look_at", made.look_at)
    monkeypatch.setattr(clock, "processor_time", lambda _pid: made.computed)
    return made


def begin(seconds=2.0, most=float("inf")):
    allowance = Allowance(seconds, 1, most)
    allowance.wait()
    return allowance


def test_a_child_that_computes_has_its_limit_and_no_more(world):
    allowance = begin()
    world.pass_by(allowance, 1.8, computing=1.0)
    allowance.extend(world.now)
    world.pass_by(allowance, 0.2, computing=1.0)
    with pytest.raises(LateError, match="used 2 s of processor time"):
        allowance.extend(world.now)


def test_a_child_that_waits_for_a_processor_has_the_rest_of_its_limit_when_it_gets_one(world):
    allowance = begin()
    world.pass_by(allowance, 9.0, computing=0.2)
    allowance.extend(world.now)
    assert allowance.deadline == pytest.approx(world.now + 0.2, abs=1e-6)
    world.pass_by(allowance, 1.0, computing=0.2)
    with pytest.raises(LateError, match="used 2 s of processor time"):
        allowance.extend(world.now)


def test_a_child_that_sleeps_has_its_limit_on_the_clock(world):
    world.doing = Doing.ASLEEP
    allowance = begin()
    world.pass_by(allowance, 2.0)
    with pytest.raises(LateError, match="waited longer than 2 s"):
        allowance.extend(world.now)


def test_a_child_that_was_stopped_loses_nothing(world):
    world.doing = Doing.STOPPED
    allowance = begin()
    world.pass_by(allowance, 3.0)
    allowance.extend(world.now)
    assert allowance.count(world.now) == 0.0
    assert allowance.deadline == pytest.approx(world.now + 2.0)


def test_a_grader_that_was_stopped_itself_counts_no_more_than_two_looks_of_sleep(world):
    world.doing = Doing.ASLEEP
    allowance = begin()
    world.now += 60.0
    allowance.extend(world.now)
    assert allowance.count(world.now) == pytest.approx(2 * WATCH)


@pytest.mark.parametrize(
    ("doing", "words"),
    [(Doing.STOPPED, "was stopped"), (Doing.COMPUTING, "waited for a processor"), (Doing.ON_DISK, "waited for a disk")],
)
def test_a_child_that_does_not_get_on_is_given_up_at_the_ceiling(world, doing, words):
    world.doing = doing
    allowance = begin()
    world.pass_by(allowance, CEILING * 2.0 - 0.2)
    allowance.extend(world.now)
    assert allowance.deadline <= allowance.ceiling
    world.doing = Doing.COMPUTING  # what it did most counts, not what it does at that very moment
    world.pass_by(allowance, 0.2)
    with pytest.raises(StalledError, match=f"it {words} for 20 s") as caught:
        allowance.extend(world.now)
    assert caught.value.doing is doing


def test_a_look_that_meets_a_busy_child_at_an_idle_moment_takes_nothing_from_it(world):
    world.doing = Doing.ASLEEP
    allowance = begin()
    world.pass_by(allowance, 2.0, computing=0.1)
    assert allowance.count(world.now) == pytest.approx(0.2, abs=0.01)


def test_a_short_limit_has_a_ceiling_of_some_seconds(world):
    assert begin(0.1).ceiling == pytest.approx(world.now + LEAST_CEILING)


def test_threads_that_compute_at_once_count_no_more_than_has_passed(world):
    allowance = begin()
    world.pass_by(allowance, 1.8, computing=4.0)
    assert allowance.count(world.now) == pytest.approx(1.8)
    allowance.extend(world.now)


def test_what_was_used_before_the_wait_does_not_count(world):
    allowance = Allowance(2.0, 1)
    world.now, world.computed = world.now + 9.0, world.computed + 9.0  # the grader was busy, the child was ahead
    allowance.wait()
    allowance.extend(world.now)
    assert allowance.count(world.now) == 0.0


def test_without_a_child_to_look_at_the_clock_counts(world):
    allowance = Allowance(30.0)
    allowance.wait()
    world.now += 30.0
    with pytest.raises(LateError):
        allowance.extend(world.now)


def test_a_system_that_tells_nothing_has_the_clock_on_the_wall(world, monkeypatch):
    monkeypatch.setattr(clock, "look_at", lambda _pid: Glance(None, Doing.UNKNOWN))
    monkeypatch.setattr(clock, "processor_time", lambda _pid: None)
    allowance = begin()
    world.now += 2.0
    with pytest.raises(LateError):
        allowance.extend(world.now)


def test_a_system_that_tells_only_how_much_is_used_takes_next_to_nothing_for_sleep(world):
    world.doing = Doing.UNKNOWN
    starved, idle = begin(), begin()
    world.pass_by(starved, 3.0, computing=0.1)
    assert starved.count(world.now) == pytest.approx(0.3, abs=0.01)
    idle = begin()
    world.pass_by(idle, 1.0, computing=0.01)
    assert idle.count(world.now) == pytest.approx(1.0, abs=0.01)


def test_a_system_on_which_looking_is_dear_is_looked_at_late(world, monkeypatch):
    monkeypatch.setattr(clock, "processor_time", lambda _pid: None)
    allowance = begin()
    world.pass_by(allowance, 1.0, computing=0.5)
    assert allowance.count(world.now) == pytest.approx(0.6, abs=0.01)  # until the first look, the clock


def test_a_budget_is_used_up_by_what_children_do_and_not_by_what_befalls_them(world):
    budget = Budget(3.0)
    allowance = budget.allow(2.0, 1)
    allowance.wait()
    world.pass_by(allowance, 10.0, computing=0.1)
    budget.settle()
    budget.settle()
    assert budget.left == pytest.approx(2.0, abs=0.01)
    assert budget.allow(5.0, 1).seconds == pytest.approx(2.0, abs=0.01)


@pytest.mark.parametrize(("doing", "counted"), [(Doing.ASLEEP, 0.35), (Doing.COMPUTING, 0.0)])
def test_the_time_since_the_last_look_counts_as_slept_if_the_child_slept_then(world, doing, counted):
    world.doing = doing
    budget = Budget(3.0)
    allowance = budget.allow(2.0, 1)
    allowance.wait()
    world.pass_by(allowance, WATCH)
    world.now += 0.15
    budget.settle()
    assert 3.0 - budget.left == pytest.approx(counted)


def test_an_answer_that_was_there_already_takes_nothing_from_a_budget(world):
    budget = Budget(3.0)
    budget.allow(2.0, 1)
    world.now += 1.0
    budget.settle()
    assert budget.left == 3.0


def test_a_budget_has_a_ceiling_for_all_children_together(world):
    budget = Budget(3.0)
    for _ in range(2):
        allowance = budget.allow(3.0, 1)
        allowance.wait()
        world.pass_by(allowance, 14.0)
        budget.settle()
    allowance = budget.allow(3.0, 1)
    allowance.wait()
    assert allowance.ceiling == pytest.approx(world.now + 2.0)
    assert not budget.used_up
