"""What a check says of calls that gave no answer, and what it tells the instructor beside it."""

import re

import pytest

from grader.calls import Ended, Reply, Run
from grader.course import find_course
from grader.exercises import EXERCISES
from grader.judging.judge import judge
from grader.key.building import build_key
from grader.report import Outcome
from judging.answering import REFERENCES, answer, checks_of, defined

EVERYTHING = [function for exercise in EXERCISES.values() for function in exercise.functions]


@pytest.fixture(scope="module")
def both(key):
    return key.join(build_key(find_course(), 97).hide())


def judge_lost(key, reply, *, hidden):
    """Judge right work of which the hidden, or the public, calls of one function were lost."""
    replies = dict(answer(REFERENCES, key).replies)
    for probe in key.probes:
        if probe.call.function == "softmax" and probe.hidden == hidden:
            replies[probe.id] = reply
    return checks_of(judge(tuple(EXERCISES.values()), key, defined(REFERENCES), Run(replies), EVERYTHING))


@pytest.mark.parametrize(
    ("ended", "detail", "outcome", "said"),
    [
        (Ended.TIMEOUT, "it used 2 s of processor time", Outcome.TIMEOUT, "not answer: it used 2 s of processor time."),
        (Ended.TIMEOUT, "it waited longer than 2 s", Outcome.TIMEOUT, "did not answer: it waited longer than 2 s."),
        (Ended.CRASHED, "exit code 3", Outcome.CRASHED, "ended the whole process: exit code 3."),
        (Ended.MEMORY, "needed more than the memory limit of 9 MiB", Outcome.MEMORY, "the memory limit of 9 MiB."),
    ],
)
def test_a_public_call_that_was_lost_says_what_the_work_did(both, ended, detail, outcome, said):
    check = judge_lost(both, Reply(ended, detail=detail), hidden=False)["softmax.rows"]
    assert (check.outcome, check.score, check.flags) == (outcome, 0, (outcome.value,))
    assert check.message.endswith(said)


@pytest.mark.parametrize(
    ("ended", "flag"),
    [
        (Ended.TIMEOUT, "timeout"),
        (Ended.CRASHED, "crashed"),
        (Ended.MEMORY, "memory"),
        (Ended.RAISED, "fails on hidden inputs only"),
    ],
)
def test_what_is_lost_on_hidden_inputs_alone_is_not_said_to_be_wrong_on_them(both, ended, flag):
    check = judge_lost(both, Reply(ended), hidden=True)["softmax.rows"]
    assert check.flags == (flag,)
    assert re.search(r"on a further input\b|, not on further ones\.$", check.message)  # a student learns no more


@pytest.mark.parametrize("hidden", [False, True])
def test_a_loss_that_the_system_could_not_explain_is_flagged_once(both, hidden):
    doubt = "signal 15 (SIGTERM), each of 5 times; the system cannot tell who did that"
    checks = judge_lost(both, Reply(Ended.CRASHED, detail="signal 15 (SIGTERM)", flag=doubt), hidden=hidden)
    assert checks["softmax.rows"].flags.count(doubt) == 1
    assert not any(doubt in check.flags for check in checks.values() if check.function != "softmax")
