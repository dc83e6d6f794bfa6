"""The answers that are words."""

import numpy as np
import pytest

from grader.report import Outcome
from judging.answering import checks_of, judge_functions

RIGHT = ["values matmul", "softmax Jacobian", "scale", "scores matmul"]


def order(key, words):
    return checks_of(judge_functions(key, CHAIN=words))["chain.order"]


@pytest.mark.parametrize(
    "words",
    [
        RIGHT,
        tuple(RIGHT),
        ["values matmul", "softmax Jacobian", "scores matmul", "scale"],
        ["Values Matmul", "SOFTMAX JACOBIAN", "Scale", "scores MATMUL"],
        ["values-matmul", "softmax_jacobian", " scale ", "scoresmatmul"],
        ["values  matmul\n", "softmax\u2011jacobian", "scale", "scores\u2013matmul"],
    ],
)
def test_case_spaces_hyphens_and_the_order_of_the_linear_stages_do_not_matter(key, words):
    assert (order(key, words).score, order(key, words).outcome) == (8, Outcome.PASSED)


@pytest.mark.parametrize("words", [RIGHT[::-1], ["scale", "scores matmul", "softmax jacobian", "values matmul"]])
def test_the_order_of_the_forward_pass_earns_half(key, words):
    check = order(key, words)
    assert (check.score, check.outcome) == (4, Outcome.FAILED)
    assert "half the points" in check.message


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["values matmul", "softmax Jacobian", "ReLU", "scores matmul"], "names 4 stages; 1 of them is not part"),
        (["layer norm", "cross-entropy"], "names 2 stages; 2 of them are not part"),
        ([*RIGHT, "ReLU"], "names 5 stages; 1 of them is not part"),
        ([""], "names 1 stage; 1 of them is not part"),
        ([*RIGHT, "scale"], "twice"),
        (["scale"] * 4, "twice"),
        (["scale", "SCALE"], "twice"),
        (RIGHT[:3], "names 3 stages, all part of attention"),
        (["scale"], "names 1 stage, all part of attention"),
        (["softmax Jacobian", "values matmul", "scale", "scores matmul"], "in another order"),
        (["values matmul", "scale", "softmax Jacobian", "scores matmul"], "in another order"),
        ("values matmul, softmax Jacobian", "is a string; a list of strings is expected"),
        ({"scale": 1}, "is a dict of 1"),
        ([1, 2, 3, 4], "is a list of 4; a list of strings is expected"),
        (3, "a list of strings is expected"),
        (len, "a list of strings is expected"),
    ],
)
def test_anything_else_earns_nothing_and_is_described(key, words, said):
    check = order(key, words)
    assert (check.score, check.outcome) == (0, Outcome.FAILED)
    assert said in check.message


@pytest.mark.parametrize("words", [[], ()])
def test_an_empty_list_is_not_attempted(key, words):
    assert order(key, words).outcome is Outcome.NOT_ATTEMPTED


@pytest.mark.parametrize("words", [RIGHT[::-1], ["ReLU"], RIGHT[:3], ["scale"] * 4, "scale", RIGHT[1:] + RIGHT[:1]])
def test_no_message_holds_the_right_list_or_a_stage_of_it(key, words):
    text = order(key, words).model_dump_json().lower()
    assert not [stage for stage in RIGHT if stage.lower() in text]


def written(key, text):
    return checks_of(judge_functions(key, EXPLANATION=text))["explanation.written"]


def test_a_written_answer_waits_for_a_person_whole(key):
    check = written(key, "A head sums d_k / h terms.\nSo  do I.")
    assert (check.outcome, check.score, check.max_score) == (Outcome.PENDING, 0, 5)
    assert check.message == "10 words wait for a person."
    assert check.evidence.text == "A head sums d_k / h terms.\nSo  do I."
    assert written(key, "Variance").message == "1 word waits for a person."


def test_a_written_answer_of_any_length_fits_the_report(key):
    check = written(key, "variance " * 5000)
    assert check.outcome is Outcome.PENDING
    assert len(check.evidence.text) == 20_000


@pytest.mark.parametrize("text", ["", "  \n\t "])
def test_an_empty_written_answer_is_not_attempted(key, text):
    results = judge_functions(key, EXPLANATION=text)
    assert checks_of(results)["explanation.written"].outcome is Outcome.NOT_ATTEMPTED
    assert sum(result.pending_score for result in results) == 0


@pytest.mark.parametrize("value", [3, ["text"], b"text", len])
def test_a_written_answer_of_another_kind_is_described(key, value):
    check = written(key, value)
    assert (check.outcome, check.score) == (Outcome.FAILED, 0)
    assert check.message.startswith("`EXPLANATION` is ")
    assert check.message.endswith("a string is expected.")


def test_the_right_words_in_an_array_are_right(key):
    words = np.array(["values matmul", "softmax Jacobian", "scale", "scores matmul"])
    assert checks_of(judge_functions(key, CHAIN=words))["chain.order"].outcome is Outcome.PASSED


def test_a_word_that_is_not_offered_is_named(key):
    check = checks_of(judge_functions(key, CHAIN=["value matmul", "softmax Jacobian", "scale", "scores matmul"]))
    assert "`value matmul` in `CHAIN` is none of the eight words" in check["chain.order"].message
