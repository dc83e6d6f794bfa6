"""Constant answers are never told, however near or far the student's own answer is."""

import numpy as np
import pytest

from builders import build_report
from grader.report import Outcome, dump_report
from judging.answering import REFERENCES, checks_of, judge_functions

ATTENTION = REFERENCES["attention"]


DIGITS = ("0.72593", "0.27406", "0.45186")


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: (np.zeros((1, 2)), np.zeros((1, 3))),
        lambda: (np.full((1, 2), 0.7), np.array([[0.27, 0.27, 0.45]])),
        lambda: (np.zeros(2), np.zeros(3)),
        lambda: [[0.0, 0.0]],
        lambda: None,
        lambda: (np.array([[np.nan, 1]]), np.zeros((3, 1))),
        lambda: REFERENCES["third_key"]()[::-1],
        lambda: 1 / 0,
    ],
)
def test_the_third_key_is_not_told(key, wrong):
    results = judge_functions(key, third_key=wrong)
    check = checks_of(results)["third_key.values"]
    assert check.score == 0
    text = dump_report(build_report(*results).for_student())
    # A student may read what the student returned, the right numbers in the wrong places among it.
    text = text.replace(check.counterexample.student, "")
    assert not [digits for digits in DIGITS if digits in text]


def test_the_same_numbers_are_not_told_by_attention(key):
    def wrong_on_the_page(Q, K, V):
        output, weights = ATTENTION(Q, K, V)
        return (output, weights) if len(Q) * len(K) < 3 else (output * 0, weights * 0)

    results = judge_functions(key, attention=wrong_on_the_page)
    check = checks_of(results)["attention.weights"]
    assert check.counterexample.rung == "the page's third-key example"
    assert check.message.startswith("`attention` does not give the right answer for the page's third-key example.")
    text = dump_report(build_report(*results).for_student())
    assert not [digits for digits in DIGITS if digits in text]


@pytest.mark.parametrize("function", ["head_scale", "score_variance"])
@pytest.mark.parametrize("value", [0.0, float("nan"), [3], None])
def test_the_numbers_behind_the_explanation_are_not_told(key, function, value):
    results = judge_functions(key, **{function: lambda d_k, num_heads: value})
    for check in checks_of(results).values():
        if check.function == function and check.outcome is Outcome.FAILED:
            student = build_report(*results).for_student()
            shown = checks_of(student.exercises)[check.name]
            assert shown.counterexample is None or shown.counterexample.expected is None
            assert shown.evidence is None
            assert "is right" not in shown.message


def test_the_instructor_still_sees_them(key):
    check = checks_of(judge_functions(key, head_scale=lambda d_k, h: 0.0))["head_scale.values"]
    assert check.counterexample.secret
    assert check.counterexample.expected == "0.5"
