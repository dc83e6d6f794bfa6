"""Whatever a child says of hidden calls, what a student reads does not depend on it."""

import numpy as np
import pytest

from builders import build_report
from grader.calls import Ended, Opaque, Reply, Run, StudentError, Wrapped
from grader.course import find_course, load_solutions
from grader.exercises import EXERCISES, asked_names
from grader.feedback import FORMATS, View
from grader.judging.hidden import FAILED_HIDDEN_ONLY, HIDDEN_MESSAGE
from grader.judging.judge import judge
from grader.key.building import build_key
from grader.report import Outcome, dump_report
from judging.answering import REFERENCES, answer, checks_of, crossed, defined

EVERYTHING = [function for exercise in EXERCISES.values() for function in exercise.functions]
MISTAKES = load_solutions(find_course(), asked_names()).mistakes
ATTENTION, GRADIENT = REFERENCES["attention"], REFERENCES["attention_grad_q"]
PLANTS = 7654.321, 1234.567  # hidden numbers, as far as a student is concerned


@pytest.fixture(scope="module")
def both(key):
    return key.join(build_key(find_course(), 97).hide())


def no_scale(Q, K, V):
    return MISTAKES["attention"]["E1-01"](Q, K, V)


def carried(Q, K, V, dO):
    dS = REFERENCES["grad_scores"](no_scale(Q, K, V)[1], REFERENCES["grad_weights"](dO, V))
    return REFERENCES["grad_queries"](dS, K)


# What the work gives on the public inputs.
WORKS = {
    "right": {},
    "a known slip": {"attention": no_scale, "attention_grad_q": carried, "softmax": MISTAKES["softmax"]["E1-10"]},
    "an unknown slip": {
        "attention": lambda Q, K, V: (ATTENTION(Q, K, V)[0] + 1, 2 * ATTENTION(Q, K, V)[1]),
        "attention_grad_q": lambda *args: 3 * GRADIENT(*args),
        "softmax": lambda x, axis=-1: REFERENCES["softmax"](x, axis) * (1 + 1e-7),
        "split_heads": lambda X, num_heads: 1 / 0,
    },
}


def plant_in(value, change):
    if isinstance(value, tuple):
        return tuple(plant_in(part, change) for part in value)
    return change(value) if isinstance(value, np.ndarray) else value


def exception(plant):
    word = f"{plant:.3f}"
    line = int(plant)
    return StudentError(word, word, f"{word}.py", line, line, word, word, None, (word, "ValueError"))


# Each channel into which a child can write: from its honest reply and a number to what it says.
CHANNELS = {
    "an exception": lambda reply, plant: Reply(Ended.RAISED, error=exception(plant)),
    "something absent": lambda reply, plant: Reply(
        Ended.RAISED, error=exception(plant)._replace(absent=f"numbers.{plant}")
    ),
    "an unwritten function": lambda reply, plant: Reply(
        Ended.RAISED, error=exception(plant)._replace(type="NotImplementedError")
    ),
    "its status": lambda reply, plant: Reply(Ended.CRASHED, detail=f"exit status {plant}"),
    "its memory": lambda reply, plant: Reply(Ended.MEMORY, detail=f"peak of {plant} MiB"),
    "a name that is gone": lambda reply, plant: Reply(Ended.MISSING, detail=f"{plant}"),
    "a file that is gone": lambda reply, plant: Reply(Ended.LOST, detail=f"{plant}"),
    "a skipped call": lambda reply, plant: Reply(Ended.SKIPPED, detail=f"{plant}"),
    "time": lambda reply, plant: reply._replace(seconds=plant),
    "time and an error": lambda reply, plant: Reply(Ended.TIMEOUT, error=exception(plant), seconds=plant),
    "arguments": lambda reply, plant: reply._replace(
        echo=None if reply.echo is None else plant_in(reply.echo, lambda x: x + plant)
    ),
    "numbers": lambda reply, plant: reply._replace(value=plant_in(reply.value, lambda x: np.full(x.shape, plant))),
    "a factor": lambda reply, plant: reply._replace(value=plant_in(reply.value, lambda x: x * plant)),
    "the last digits": lambda reply, plant: reply._replace(
        value=plant_in(reply.value, lambda x: x.astype(float) * (1 + plant * 1e-10))
    ),
    "a shape": lambda reply, plant: reply._replace(value=np.zeros((int(plant),))),
    "a container": lambda reply, plant: reply._replace(value=Wrapped(f"{plant}", reply.value)),
    "a type": lambda reply, plant: reply._replace(value=Opaque(f"{plant}", f"{plant}")),
    "a text": lambda reply, plant: reply._replace(value=f"{plant}"),
    "a dict": lambda reply, plant: reply._replace(value={f"{plant}": plant}),
    "a list": lambda reply, plant: reply._replace(value=[plant, [f"{plant}"]]),
}


HONEST = {}  # what each work gives on every call: asked once


def judge_planted(both, work, channel=None, plant=0.0, share=lambda name: True):
    functions = REFERENCES | WORKS[work]
    if work not in HONEST:
        HONEST[work] = answer(functions, both).replies
    replies = dict(HONEST[work])
    for name, reply in replies.items():
        if channel is not None and name.startswith("hidden:") and share(name):
            replies[name] = CHANNELS[channel](reply, plant)
            if replies[name].ended is Ended.RETURNED and not isinstance(replies[name].value, Opaque | Wrapped):
                replies[name] = replies[name]._replace(value=crossed(replies[name].value))
    return judge(tuple(EXERCISES.values()), both, defined(functions), Run(replies), EVERYTHING)


def shown(results):
    report = build_report(*results).for_student()
    return dump_report(report) + FORMATS["text"](report, View(hints=2))


@pytest.fixture(scope="module", params=WORKS)
def work(request):
    return request.param


SHARES = {"all": lambda name: True, "some": lambda name: sum(name.encode()) % 3 == 0}


@pytest.mark.parametrize("share", ["all", pytest.param("some", marks=pytest.mark.slow)])
@pytest.mark.parametrize("channel", CHANNELS)
def test_two_works_that_differ_in_what_they_say_of_hidden_calls_look_the_same(both, work, channel, share):
    one, other = (shown(judge_planted(both, work, channel, plant, SHARES[share])) for plant in PLANTS)
    assert one == other
    for plant in PLANTS:
        assert f"{plant}"[:4] not in one.replace(" ", "")


ALONE = {}


def judge_alone(key, work):
    """Return the checks of the student's own run."""
    if work not in ALONE:
        functions = REFERENCES | WORKS[work]
        run = answer(functions, key)
        ALONE[work] = checks_of(judge(tuple(EXERCISES.values()), key, defined(functions), run, EVERYTHING))
    return ALONE[work]


@pytest.mark.parametrize("channel", CHANNELS)
def test_what_a_student_reads_is_what_the_own_run_says_or_a_sentence_of_ours(both, key, work, channel):
    alone = judge_alone(key, work)
    report = build_report(*judge_planted(both, work, channel, PLANTS[0])).for_student()
    for name, check in checks_of(report.exercises).items():
        if (check.outcome, check.score) == (alone[name].outcome, alone[name].score):
            assert check == alone[name].model_copy(update={"flags": (), "hidden_counterexample": None}) or (
                alone[name].counterexample is not None and alone[name].counterexample.secret
            )
        else:
            assert (
                check.message == HIDDEN_MESSAGE
                or check.message.startswith(f"`{check.function}` ")
                or ("further input" in check.message)
            )
            assert (check.counterexample, check.evidence, check.seconds) == (None, None, 0.0)


@pytest.mark.parametrize(
    ("channel", "outcome", "flag"),
    [
        ("time and an error", Outcome.TIMEOUT, "timeout"),
        ("its status", Outcome.CRASHED, "crashed"),
        ("its memory", Outcome.MEMORY, "memory"),
    ],
)
def test_a_hidden_call_that_was_cut_off_is_that_and_no_suspicion(both, channel, outcome, flag):
    for check in checks_of(judge_planted(both, "right", channel, PLANTS[0])).values():
        if check.score < check.max_score and check.outcome is not Outcome.PENDING:
            assert (check.outcome, check.flags) == (outcome, (flag,))
            assert check.hidden_counterexample is not None
            assert "further input" in check.message


def test_the_time_limit_that_a_hidden_call_reached_is_told(both):
    replies = dict(answer(REFERENCES, both).replies)
    replies["hidden:softmax/square"] = Reply(Ended.TIMEOUT, detail="no result within 2 s")
    results = judge(tuple(EXERCISES.values()), both, defined(REFERENCES), Run(replies), EVERYTHING)
    check = checks_of(results)["softmax.rows"]
    assert check.message == "`softmax` did not answer on a further input: no result within 2 s."
    assert (check.outcome, check.flags, check.score) == (Outcome.TIMEOUT, ("timeout",), 0)


def test_a_wrong_hidden_answer_beside_one_that_was_cut_off_is_still_a_suspicion(both):
    replies = dict(answer(REFERENCES, both).replies)
    replies["hidden:softmax/rectangle"] = Reply(Ended.TIMEOUT, detail="no result within 2 s")
    replies["hidden:softmax/square"] = Reply(Ended.RETURNED, np.zeros((4, 4)))
    results = judge(tuple(EXERCISES.values()), both, defined(REFERENCES), Run(replies), EVERYTHING)
    assert checks_of(results)["softmax.rows"].flags == (FAILED_HIDDEN_ONLY,)


def test_own_work_that_was_cut_off_on_hidden_inputs_is_no_suspicion(both):
    functions = REFERENCES | WORKS["a known slip"]
    replies = dict(answer(functions, both).replies)
    name = "hidden:attention_grad_q/own/tall/forward"
    assert name in replies
    replies[name] = Reply(Ended.TIMEOUT, detail="no result within 2 s")
    results = judge(tuple(EXERCISES.values()), both, defined(functions), Run(replies), EVERYTHING)
    check = checks_of(results)["attention_grad_q.gradient"]
    assert (check.outcome, check.flags) == (Outcome.TIMEOUT, ("timeout",))
    assert check.message == "`attention` did not answer on a further input: no result within 2 s."
