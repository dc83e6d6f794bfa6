"""What a child may return in size and number costs the grader time in proportion, and never more than its limit."""

import random
import time

import numpy as np
import pytest

from builders import automatic_points
from grader.calls import Ended, Opaque, Reply, Run, StudentError
from grader.exercises import EXERCISES, asked_names
from grader.judging import deadline
from grader.judging.judge import judge
from grader.report import Outcome
from grader.sandbox.shared.wire import WireError
from judging.answering import REFERENCES, answer, checks_of, crossed, defined, score_of

NAMES = [name for names in asked_names().values() for name in names]
EVERYTHING = [function for exercise in EXERCISES.values() for function in exercise.functions]
LARGE, MOST_HELD = 1 << 20, 128 << 20  # bytes: the sandbox lets go of large results beyond
RNG = np.random.default_rng(0)


def nested(count, kind):
    """Return about so many things, nested as deep as may travel."""
    value = [0.5] * 3
    for _ in range(10):
        value = kind([value, 1.0])
    return kind([value] * (count // 25))


def halves(count, width):
    return list(RNG.standard_normal((count, width)).astype(np.float16))


# What grows, and how large it is at size 1: twice that is near what the sandbox lets through.
GROWING = {
    "arrays in a dict": (2000, lambda k: dict(enumerate(halves(k, 500)))),
    "arrays in a list": (2000, lambda k: halves(k, 500)),
    "arrays in a tuple": (2000, lambda k: tuple(halves(k, 500))),
    "arrays of different lengths": (4000, lambda k: [np.zeros(i % 7 + 1) for i in range(k)]),
    "empty arrays": (4000, lambda k: [np.zeros((5000, 0))] * k),
    "numbers in a list": (9000, lambda k: [*range(k)]),
    "numbers and a word": (9000, lambda k: [1.0] * k + ["x"]),
    "pairs in a tuple": (9000, lambda k: ((1.0, 2.0),) * (k // 3)),
    "lists of different lengths": (9000, lambda k: [[0.0] * (i % 5 + 1) for i in range(k // 4)]),
    "lists of different depth": (9000, lambda k: [[[0.0]]] * (k // 3) + [[0.0]]),
    "lists in lists": (9000, lambda k: nested(k, list)),
    "tuples in tuples": (9000, lambda k: nested(k, tuple)),
    "dicts in a dict": (9000, lambda k: {i: {i: {}} for i in range(k // 6)}),
    "dicts in a list": (9000, lambda k: [{"a": 1}] * (k // 3)),
    "things that are nothing": (9000, lambda k: [None] * k),
    "large integers": (800, lambda k: [2**4000 + i for i in range(k)]),
    "Python objects": (9000, lambda k: np.array([0.5] * k, object)),
    "rows of Python objects": (9000, lambda k: np.full((k // 11, 10), 0.5, object)),
    "array of words": (9000, lambda k: np.array(["scale"] * k)),
    "words": (9000, lambda k: ["scale"] * k),
    "long words": (15, lambda k: [" - " * 20_000] * k),
    "long keys": (15, lambda k: {"x" * 60_000 + str(i): i for i in range(k)}),
    "a long text": (30_000, lambda k: "ab " * (k // 3)),
    "a large array": (60_000, RNG.standard_normal),
    "a huge array": (1 << 21, RNG.standard_normal),
    "a huge array of bytes": (1 << 23, lambda k: np.ones(k, np.int8)),
    "a huge array without a number": (1 << 21, lambda k: np.full(k, np.nan)),
    "a huge complex array": (1 << 20, lambda k: np.ones(k, complex)),
    "a pair of large arrays": (30_000, lambda k: (np.ones((k, 2)), np.ones((k, 2)))),
}


def cross(value):
    """Return a value as it arrives in the grader."""
    try:
        return crossed(value)
    except WireError:
        return Opaque(type(value).__name__, "too large to be sent")


def measure(value):
    """Return roughly the bytes of a value."""
    match value:
        case np.ndarray():
            return value.nbytes
        case str() | bytes():
            return len(value)
        case list() | tuple():
            return sum(map(measure, value))
        case dict():
            return sum(map(measure, value)) + sum(map(measure, value.values()))
        case _:
            return 8


def reply_to_all(key, value_of):
    """Return a run in which each call returned such a value, also in place of its arguments."""
    replies, held = {}, 0
    for call in key.calls(NAMES):
        value = value_of(call)
        size = measure(value)
        held += size if size > LARGE else 0
        if size > LARGE and held > MOST_HELD:
            value = Opaque("result", "too many")
        replies[call.id] = Reply(Ended.RETURNED, value, echo=(value,) * len(call.args) if call.echo else None)
    return Run(replies)


def judge_run(key, run, **options):
    results = judge(tuple(EXERCISES.values()), key, defined(dict.fromkeys(NAMES)), run, EVERYTHING, **options)
    for result in results:
        result.model_dump_json()
    return results


def seconds_for(key, value):
    run = reply_to_all(key, lambda call: value)
    start = time.thread_time()
    judge_run(key, run)
    return time.thread_time() - start


def test_four_thousand_arrays_in_a_dict_take_no_longer_than_in_a_tuple(key):
    arrays = halves(4000, 999)
    in_dict, in_tuple = (seconds_for(key, cross(value)) for value in (dict(enumerate(arrays)), tuple(arrays)))
    assert in_dict < 2 * in_tuple + 1


@pytest.mark.parametrize("name", GROWING)
def test_what_is_shown_of_a_large_value_is_bounded(key, name):
    size, grow = GROWING[name]
    value = cross(grow(size // 10))
    results = judge_run(key, reply_to_all(key, lambda call: value))
    for check in checks_of(results).values():
        assert len(check.model_dump_json()) < 60_000
    assert score_of(results) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("name", GROWING)
def test_twice_as_much_takes_at_most_two_and_a_half_times_as_long(key, name):
    size, grow = GROWING[name]
    values = cross(grow(size)), cross(grow(2 * size))
    # The best of three: a neighbour on the machine slows both down, and not equally.
    once, twice = (min(seconds_for(key, value) for _ in range(3)) for value in values)
    print(f"{name}: {once:.2f} s, {twice:.2f} s")
    assert twice < max(2.5 * once, 0.3)
    assert twice < 10


def odd_value(chance):
    size, grow = GROWING[chance.choice([*GROWING])]
    value = grow(max(1, int(size * chance.random() ** 4)))
    return chance.choice([value, (value, value), [value], {"value": value}, (value, None)])


def odd_reply(chance, reply):
    """Return what a child may say in place of a reply."""
    words = chance.choice(["", "x" * 600, "\n\x1b[2J", "é\u202e"])
    match chance.randrange(6):
        case 0:
            return reply
        case 1:
            error = StudentError(words or "ValueError", words, bases=("Exception",) * chance.randrange(3))
            return Reply(chance.choice([*Ended]), error=chance.choice([None, error]), detail=words)
        case 2:
            return reply._replace(echo=(odd_value(chance),) * chance.randrange(4))
        case _:
            return reply._replace(value=cross(odd_value(chance)))


@pytest.mark.slow
def test_a_minute_of_odd_values_of_any_size_is_no_fault_of_ours(key):
    honest = answer(REFERENCES, key).replies
    start, seed = time.monotonic(), 0
    while time.monotonic() - start < 60:
        chance = random.Random(seed)
        share = chance.choice([0.02, 0.2, 1.0])
        odd = {name: odd_reply(chance, reply) if chance.random() < share else reply for name, reply in honest.items()}
        began = time.thread_time()
        assert 0 <= score_of(judge_run(key, Run(odd))) <= automatic_points(), f"seed {seed}"
        assert time.thread_time() - began < deadline.LONGEST, f"seed {seed}"
        seed += 1
    print(f"{seed} rounds")
    assert seed > 5


class Clock:
    """A clock on which so many looks take no time, and each further one a second."""

    def __init__(self, free):
        self.free, self.now = free, 0.0

    def thread_time(self):
        self.free -= 1
        self.now += self.free < 0
        return self.now


@pytest.fixture
def clock(monkeypatch):
    def set_clock(free):
        monkeypatch.setattr(deadline, "time", Clock(free))

    return set_clock


def test_what_was_judged_before_the_time_is_up_stays_and_the_rest_timed_out(key, clock):
    run = answer(REFERENCES, key)
    clock(len(run.replies) + 20)
    checks = [*checks_of(judge_run(key, run, seconds=4.0)).values()]
    outcomes = [check.outcome for check in checks]
    judged = outcomes.index(Outcome.TIMEOUT)
    assert judged > 3
    assert set(outcomes[:judged]) == {Outcome.PASSED}
    assert set(outcomes[judged:]) == {Outcome.TIMEOUT}
    assert sum(check.score for check in checks) > 0
    late = checks[judged]
    assert late.message == (
        f"`{late.function}` was not judged: the answers of this work took longer than 4 s to compare."
    )


def test_answers_that_are_not_read_in_time_cost_their_functions_alone(key, clock):
    run = answer(REFERENCES, key)
    free = len(run.replies) // 2
    clock(free)
    # The rest of the answers takes as many seconds as there are; ten more than half of the time are left for them.
    left = len(run.replies) - free
    checks = checks_of(judge_run(key, run, seconds=2.0 * (left - 10)))
    assert checks["softmax.rows"].outcome is Outcome.PASSED
    late = {check.function for check in checks.values() if check.outcome is Outcome.TIMEOUT}
    # The last answers are those of broad probes, which end the ladders of two functions.
    assert key.probes[-1].call.function in late
    later = [name for names in list(asked_names().values())[3:] for name in names]  # of exercises added since
    assert late <= {"attention_grad_q", "numerical_gradient", *later}


def test_what_is_missing_is_missing_however_late_it_is(key, clock):
    clock(0)
    work = {name: value for name, value in REFERENCES.items() if name != "softmax"}
    results = judge(tuple(EXERCISES.values()), key, defined(work), answer(work, key), EVERYTHING, seconds=0.0)
    checks = checks_of(results)
    assert checks["softmax.rows"].outcome is Outcome.MISSING
    assert checks["attention.output"].outcome is Outcome.TIMEOUT
