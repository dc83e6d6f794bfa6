"""Points for a refusal are for functions that answer what is valid."""

import numpy as np
import pytest

from grader.course import find_course
from grader.key.building import build_key
from grader.report import Outcome
from grader.sandbox.shared.calling import Form, lay_out
from judging.answering import REFERENCES, checks_of, judge_functions

SPLIT, HEADS = REFERENCES["split_heads"], REFERENCES["multi_head_attention"]


class NoHeadsError(ValueError):
    pass


@pytest.mark.parametrize("error", [ValueError, NoHeadsError])
def test_a_function_that_refuses_a_valid_call_earns_nothing_for_refusing_bad_ones(key, error):
    def split_heads(X, num_heads):
        if num_heads != 2:
            raise error
        return SPLIT(X, num_heads)

    checks = checks_of(judge_functions(key, split_heads=split_heads))
    check = checks["split_heads.refuses"]
    assert (check.outcome, check.score) == (Outcome.FAILED, 0)
    assert check.message == (
        f"`split_heads` raises {error.__name__} for a valid call, too (5 rows of 6 columns, three heads): "
        "refusing bad calls counts where good ones are answered."
    )
    assert check.counterexample.rung == "5 rows of 6 columns, three heads"
    assert checks["split_heads.form"].score == 0.25


def test_a_valid_call_that_fails_in_another_way_is_no_refusal(key):
    def split_heads(X, num_heads):
        if X.shape[1] % num_heads:
            raise ValueError
        if num_heads != 2:
            raise TypeError
        return SPLIT(X, num_heads)

    assert checks_of(judge_functions(key, split_heads=split_heads))["split_heads.refuses"].score == 1.5


def test_a_call_whose_arguments_must_stay_is_valid_as_well(key):
    def multi_head_attention(Q, K, V, num_heads):
        if Q.shape == (3, 4) and Q.dtype.kind == "f" and num_heads == 2:
            raise ValueError
        return HEADS(Q, K, V, num_heads)

    checks = checks_of(judge_functions(key, multi_head_attention=multi_head_attention))
    assert checks["multi_head_attention.refuses"].score == 0


def test_a_refusal_of_hidden_calls_is_told_without_them(key):
    both = key.join(build_key(find_course(), 97, mistakes=False).hide())
    calls = [probe.call for probe in key.probes if probe.call.function == "split_heads"]
    arrays = [(call, args[0]) for call in calls for args in (call.args, call.again) if args is not None]
    public = {lay_out(array, Form(call.order, single=call.single)).tobytes() for call, array in arrays}

    def split_heads(X, num_heads):
        if np.asarray(X).tobytes() not in public:
            raise ValueError
        return SPLIT(X, num_heads)

    check = checks_of(judge_functions(both, split_heads=split_heads))["split_heads.refuses"]
    assert check.score == 0
    assert check.message == "Right on the public inputs, not on further ones."
    assert check.counterexample is None
