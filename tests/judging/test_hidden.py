"""Public and hidden probes together: what passes in public and fails on hidden inputs is seen, and not shown."""

import json

import numpy as np
import pytest

from builders import automatic_points
from grader.course import find_course
from grader.judging.hidden import FAILED_HIDDEN_ONLY
from grader.key.building import build_key
from grader.report import Outcome
from grader.sandbox.shared.calling import Form, lay_out
from judging.answering import REFERENCES, checks_of, judge_functions, score_of

ATTENTION = REFERENCES["attention"]


@pytest.fixture(scope="module")
def both(key):
    return key.join(build_key(find_course(), 97).hide())


def arrived(call, args):
    """Return the bytes of a call's arrays as they come to the function."""
    how = {"readonly": call.readonly, "single": call.single}
    return b"".join(lay_out(arg, Form(call.order, **how)).tobytes() for arg in args if isinstance(arg, np.ndarray))


def public_inputs(key, name):
    """Return the arrays of all public calls of a function, as bytes."""
    calls = [probe.call for probe in key.probes if probe.call.function == name]
    return {arrived(call, args) for call in calls for args in (call.args, call.again) if args is not None}


def seen(args):
    return b"".join(arg.tobytes() for arg in args if isinstance(arg, np.ndarray))


def by_heart(key, name):
    """Return a function that knows the public answers by their inputs, and nothing else."""
    known = public_inputs(key, name)

    def function(*args):
        right = REFERENCES[name](*args)
        if seen(args) in known:
            return right
        return tuple(x + 1 for x in right) if isinstance(right, tuple) else right + 1

    return function


def test_a_right_answer_is_right_on_both(both):
    results = judge_functions(both)
    assert score_of(results) == automatic_points()
    assert not any(check.flags for check in checks_of(results).values())


@pytest.mark.parametrize("name", ["softmax", "attention", "multi_head_attention", "grad_scores", "attention_grad_q"])
def test_public_answers_by_heart_fail_are_flagged_and_show_nothing(both, key, name):
    results = judge_functions(both, **{name: by_heart(key, name)})
    failed = [check for check in checks_of(results).values() if check.function == name and check.score == 0]
    assert failed
    for check in failed:
        if check.outcome is not Outcome.FAILED:
            continue
        assert check.message == "Right on the public inputs, not on further ones."
        assert check.flags == (FAILED_HIDDEN_ONLY,)
        assert check.counterexample is None
        assert check.hidden_counterexample is not None
        assert check.mistake is None


def test_where_both_fail_the_public_one_is_shown(both):
    results = judge_functions(both, softmax=lambda x, axis=-1: np.asarray(x, float))
    check = checks_of(results)["softmax.rows"]
    assert check.counterexample.rung == "one score"
    assert (check.hidden_counterexample, check.flags) == (None, ())
    assert check.mistake is not None or check.message


def hidden_only(key, name, act):
    """Return the reference that acts up on inputs that are not public."""
    public = public_inputs(key, name)

    def function(*args):
        return REFERENCES[name](*args) if seen(args) in public else act(*args)

    return function


def crash(*args):
    raise RuntimeError("hidden " + repr(args))


def crash_on_readonly(x, axis=-1):
    if not x.flags.writeable:
        crash(x)
    return REFERENCES["softmax"](x, axis)


def crash_where_refused(X, num_heads):
    if X.shape[1] % num_heads:
        raise NotImplementedError("hidden " + repr(X))
    return REFERENCES["split_heads"](X, num_heads)


def write(x, axis=-1):
    out = REFERENCES["softmax"](x, axis)
    if x.flags.writeable and x.dtype.kind == "f":
        x += 1
    return out


@pytest.mark.parametrize(
    ("name", "act", "failing"),
    [
        ("softmax", crash, "softmax.rows"),
        ("softmax", write, "softmax.unmodified"),
        ("softmax", lambda x, axis=-1: REFERENCES["softmax"](x, axis).tolist(), "softmax.form"),
        ("split_heads", lambda X, h: np.zeros((h, len(X), 1)), "split_heads.refuses"),
        ("split_heads", crash, "split_heads.refuses"),
        ("split_heads", crash_where_refused, "split_heads.refuses"),
        ("softmax", crash_on_readonly, "softmax.unmodified"),
    ],
)
def test_whatever_goes_wrong_on_hidden_inputs_is_told_in_the_same_words(both, key, name, act, failing):
    check = checks_of(judge_functions(both, **{name: hidden_only(key, name, act)}))[failing]
    assert (check.outcome, check.score) == (Outcome.FAILED, 0)
    assert check.message == "Right on the public inputs, not on further ones."
    assert check.flags == (FAILED_HIDDEN_ONLY,)
    assert check.counterexample is None


def test_hidden_probes_carry_their_name_and_only_seeded_inputs(both, key):
    hidden = [probe for probe in both.probes if probe.hidden]
    assert [probe.id for probe in both.probes if probe.call.later] == [probe.id for probe in hidden]
    assert len(hidden) == sum(probe.seeded for probe in key.probes)
    assert all(probe.id.startswith("hidden:") and probe.seeded for probe in hidden)
    ids = {probe.id for probe in both.probes}
    from grader.calls import Ref

    refs = [arg.call for probe in hidden for arg in probe.call.args if isinstance(arg, Ref)]
    assert refs
    assert all(ref in ids and ref.startswith("hidden:") for ref in refs)
    assert len({probe.id for probe in both.probes}) == len(both.probes)
    assert (both.seed, json.dumps(both.digest)) != (key.seed, json.dumps(key.digest))
