"""What follows from one's own wrong work is credited; what follows from anything else is not."""

import json

import numpy as np
import pytest

from grader.course import find_course, load_solutions
from grader.exercises import asked_names, with_foundations
from grader.exercises.gradient_chain.own_calls import OWN_CASES
from grader.key.building import build_key
from grader.report import Outcome
from judging.answering import REFERENCES, checks_of, judge_functions

ATTENTION, SOFTMAX, GRADIENT = (REFERENCES[name] for name in ("attention", "softmax", "attention_grad_q"))
MISTAKES = load_solutions(find_course(), asked_names()).mistakes["attention"]
SHAPES = [tuple(shape) for shape in OWN_CASES.values()]


def shape_of(Q, K, V):
    return (len(Q), len(K), Q.shape[1], V.shape[1])


def carried_by(attention):
    """Return dQ from the right stages on the weights of this attention."""

    def attention_grad_q(Q, K, V, dO):
        dS = REFERENCES["grad_scores"](attention(Q, K, V)[1], REFERENCES["grad_weights"](dO, V))
        return REFERENCES["grad_queries"](dS, K)

    return attention_grad_q


def page():
    from grader.exercises.page import PAGE_K3, PAGE_Q, PAGE_V3

    return PAGE_Q.copy(), PAGE_K3.copy(), PAGE_V3.copy()


def judge_on_top(key, attention, attention_grad_q=None):
    """Return the two checks that may inherit, of work whose every other function is right."""
    results = judge_functions(
        key,
        attention=attention,
        attention_grad_q=attention_grad_q or carried_by(attention),
        third_key=lambda: attention(*page()),
    )
    checks = checks_of(results)
    return checks["attention_grad_q.gradient"], checks["third_key.values"]


def weighed(weigh):
    def attention(Q, K, V):
        weights = weigh(Q, K)
        return weights @ V, weights

    return attention


no_scale = weighed(lambda Q, K: SOFTMAX(Q @ K.T))


def row_sums(Q, K, V):
    return np.repeat(Q.sum(1)[:, None], V.shape[1], 1), np.full((len(Q), len(K)), 1 / len(K))


def gradient_of_row_sums(Q, K, V, dO):
    return np.repeat(dO.sum(1)[:, None], Q.shape[1], 1)


def linear(Q, K, V):
    return Q @ K.T @ V, Q @ K.T


def gradient_of_linear(Q, K, V, dO):
    return dO @ V.T @ K


def only_where_compared(odd, usual=ATTENTION):
    return lambda Q, K, V: (odd if shape_of(Q, K, V) in SHAPES else usual)(Q, K, V)


def test_the_derivative_of_what_is_no_attention_earns_nothing(key):
    gradient, _ = judge_on_top(key, row_sums, gradient_of_row_sums)
    assert (gradient.score, gradient.inherited) == (0, False)


@pytest.mark.parametrize("odd", [row_sums, linear])
def test_a_right_attention_that_is_another_one_for_a_shape_nobody_judges_gives_nothing(key, odd):
    forward = lambda Q, K, V: (odd if len(Q) == 5 else ATTENTION)(Q, K, V)
    backward = gradient_of_row_sums if odd is row_sums else gradient_of_linear
    gradient, _ = judge_on_top(key, forward, backward)
    assert (gradient.score, gradient.inherited) == (0, False)


def test_the_compared_shapes_are_those_on_which_attention_itself_is_judged(key):
    judged = {shape_of(*p.call.args) for p in key.probes if p.call.function == "attention" and p.judged}
    assert len(set(SHAPES) - judged) <= 1
    checks = checks_of(judge_functions(key, attention=only_where_compared(linear), attention_grad_q=gradient_of_linear))
    assert checks["attention.weights"].score == checks["attention.output"].score == 0


@pytest.mark.parametrize("shape", SHAPES, ids=list(OWN_CASES))
def test_a_gradient_that_is_right_on_a_single_shape_beside_a_right_attention_earns_nothing(key, shape):
    odd = lambda Q, K, V, dO: GRADIENT(Q, K, V, dO) + (shape_of(Q, K, V) != shape)
    check = checks_of(judge_functions(key, attention_grad_q=odd))["attention_grad_q.gradient"]
    assert (check.score, check.outcome) == (0, Outcome.FAILED)


def test_a_gradient_that_is_right_on_every_compared_shape_beside_a_right_attention_earns_nothing_and_is_told_why(key):
    odd = lambda Q, K, V, dO: GRADIENT(Q, K, V, dO) + (shape_of(Q, K, V) not in SHAPES)
    check = checks_of(judge_functions(key, attention_grad_q=odd))["attention_grad_q.gradient"]
    evidence = check.evidence
    assert (evidence.formula, evidence.consistency, evidence.carried) == (False, True, True)
    assert check.score == 0
    assert check.message.endswith("Your own `attention` is not wrong, so the analytic gradient alone decides.")


@pytest.mark.parametrize("shape", SHAPES, ids=list(OWN_CASES))
def test_what_holds_on_three_of_the_four_cases_is_not_inherited(key, shape):
    right = carried_by(no_scale)
    odd = lambda Q, K, V, dO: right(Q, K, V, dO) * (2 if shape_of(Q, K, V) == shape else 1)
    assert judge_on_top(key, no_scale)[0].score == 7.5
    assert judge_on_top(key, no_scale, odd)[0].score == 0


@pytest.mark.parametrize(
    "attention",
    [
        weighed(lambda Q, K: np.full((len(Q), len(K)), 1 / len(K))),
        weighed(lambda Q, K: np.repeat(SOFTMAX(K.sum(1))[None], len(Q), 0)),
        weighed(lambda Q, K: np.repeat(Q.sum(1)[:, None], len(K), 1)),
        weighed(lambda Q, K: np.eye(len(Q), len(K))),
        lambda Q, K, V: (no_scale(Q, K, V)[0] + 1, no_scale(Q, K, V)[1]),
        lambda Q, K, V: (no_scale(Q, K, V)[0], Q @ K.T),
        lambda Q, K, V: (no_scale(Q, K, V)[0], None),
    ],
    ids=["uniform", "keys alone", "queries alone", "places", "output", "scores", "nothing"],
)
def test_nothing_is_inherited_from_what_does_not_weigh_the_values(key, attention):
    gradient, third = judge_on_top(key, attention)
    assert (gradient.score, third.score) == (0, 0)


def test_what_holds_and_is_not_inherited_says_why(key):
    gradient, _ = judge_on_top(key, lambda Q, K, V: (no_scale(Q, K, V)[0], Q @ K.T))
    assert gradient.evidence.carried
    assert gradient.message.endswith("that does not return the weights and the values averaged by them.")


KEPT = sorted({"E1-04", "E1-06", "E1-10", "E1-11", "E1-12", "E1-13", "E1-22", "E1-23", "E1-24", "E1-30", "E1-64"})


@pytest.mark.parametrize("code", KEPT)
def test_a_slip_that_an_attention_makes_costs_its_points_once(key, code):
    gradient, third = judge_on_top(key, MISTAKES[code])
    assert (gradient.score, gradient.inherited) == (7.5, True)
    assert third.score == 3.75
    assert f"inherits {code}" in gradient.message


def test_the_winner_takes_all_has_no_derivative_so_that_zeros_earn_nothing(key):
    attention = MISTAKES["E1-29"]
    assert judge_on_top(key, attention)[0].score == 0
    assert judge_on_top(key, attention, lambda Q, K, V, dO: np.zeros(Q.shape))[0].score == 0


def test_squeezed_arrays_are_no_other_attention(key):
    attention = lambda Q, K, V: tuple(map(np.squeeze, no_scale(Q, K, V)))
    gradient, third = judge_on_top(key, attention, carried_by(no_scale))
    assert (gradient.score, third.score) == (7.5, 3.75)


def test_an_attention_that_is_wrong_for_very_large_scores_alone_leaves_nothing_to_inherit(key):
    def unstable(Q, K, V):
        with np.errstate(all="ignore"):
            e = np.exp(Q @ K.T / np.sqrt(Q.shape[1]))
        weights = e / e.sum(-1, keepdims=True)
        return weights @ V, weights

    odd = lambda Q, K, V, dO: GRADIENT(Q, K, V, dO) + (shape_of(Q, K, V) not in SHAPES)
    assert judge_on_top(key, unstable, odd)[0].score == 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 13))
def test_the_credit_is_the_same_for_every_seed(seed):
    key = build_key(find_course(), seed, mistakes=False)
    assert [code for code in KEPT if judge_on_top(key, MISTAKES[code])[0].score != 7.5] == []


def test_what_a_check_builds_on_is_asked_with_it():
    assert with_foundations(["attention_grad_q", "grad_scores"]) == ["attention_grad_q", "grad_scores", "attention"]
    assert with_foundations(["attention", "third_key"]) == ["attention", "third_key"]


def test_an_exercise_that_is_graded_alone_gives_the_same_credit(grade, root, tmp_path):
    found = []
    for words in ((), ("--exercise", "gradient_chain")):
        grade(root / "tests/samples/no-scale", *words, "--report", tmp_path / "report.json")
        report = json.loads((tmp_path / "report.json").read_text("utf-8"))
        checks = {check["name"]: check for exercise in report["exercises"] for check in exercise["checks"]}
        check = checks["attention_grad_q.gradient"]
        found.append((check["score"], check["inherited"], check["message"]))
    assert found[0] == found[1]
    assert found[0][:2] == (7.5, True)
