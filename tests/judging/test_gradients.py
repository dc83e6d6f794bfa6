"""Three verdicts on dQ, each enough by itself; nothing is credited on top of nothing."""

import numpy as np
import pytest

from builders import automatic_points
from grader.report import Outcome
from judging.answering import REFERENCES, checks_of, judge_functions, score_of

ATTENTION, SOFTMAX = REFERENCES["attention"], REFERENCES["softmax"]
GRADIENT, STAGES = REFERENCES["attention_grad_q"], ("grad_weights", "grad_scores", "grad_queries")


def unscaled(Q, K, V):
    weights = SOFTMAX(Q @ K.T)
    return weights @ V, weights


def chain_on(weights):
    """Return dQ from the right stages on given weights, a function of Q and K."""

    def attention_grad_q(Q, K, V, dO):
        w = weights(Q, K)
        return REFERENCES["grad_queries"](REFERENCES["grad_scores"](w, dO @ V.T), K)

    return attention_grad_q


def verdicts_of(results):
    evidence = checks_of(results)["attention_grad_q.gradient"].evidence
    return evidence.formula, evidence.consistency, evidence.carried


def points_of(results):
    return checks_of(results)["attention_grad_q.gradient"].score


def test_the_right_gradient_has_all_three(key):
    results = judge_functions(key)
    assert verdicts_of(results) == (True, True, True)
    evidence = checks_of(results)["attention_grad_q.gradient"].evidence
    assert evidence.slope == pytest.approx(2, abs=0.15)
    assert len(evidence.error_by_step) == 4
    assert evidence.first_wrong_link is None


def test_formula_alone_earns_the_points(key):
    # Neither their forward nor their stages are right, the whole is.
    results = judge_functions(key, attention=unscaled, grad_scores=lambda weights, dA: weights * dA)
    assert verdicts_of(results) == (True, False, None)
    assert points_of(results) == 7.5


def test_consistency_alone_earns_the_points_and_says_where_it_comes_from(key):
    def of_unscaled(Q, K, V, dO):
        weights = unscaled(Q, K, V)[1]
        dA = dO @ V.T
        return (weights * (dA - (weights * dA).sum(-1, keepdims=True))) @ K

    results = judge_functions(key, attention=unscaled, attention_grad_q=of_unscaled)
    assert verdicts_of(results) == (False, True, False)
    assert points_of(results) == 7.5
    message = checks_of(results)["attention_grad_q.gradient"].message
    assert "your own `attention`" in message
    assert message.endswith("(inherits E1-01)")


def test_carried_alone_earns_the_points_and_the_slip_costs_once(key):
    results = judge_functions(
        key, attention=unscaled, attention_grad_q=chain_on(lambda Q, K: SOFTMAX(Q @ K.T)),
        third_key=lambda: unscaled(*page()),
    )  # fmt: skip
    assert verdicts_of(results) == (False, False, True)
    assert points_of(results) == 7.5
    assert score_of(results) == automatic_points() - 11.5
    checks = checks_of(results)
    for name in ("attention_grad_q.gradient", "third_key.values"):
        assert checks[name].outcome is Outcome.PASSED
        assert checks[name].message.endswith("(inherits E1-01)")


def page():
    from grader.exercises.third_key.ladder import PAGE_K3, PAGE_Q, PAGE_V3

    return PAGE_Q, PAGE_K3, PAGE_V3


def test_a_wrong_stage_carries_nothing_and_is_the_first_wrong_link(key):
    wrong = lambda weights, dA: weights * dA
    results = judge_functions(
        key, attention=unscaled, grad_scores=wrong,
        attention_grad_q=lambda Q, K, V, dO: REFERENCES["grad_queries"](wrong(SOFTMAX(Q @ K.T), dO @ V.T), K),
    )  # fmt: skip
    assert verdicts_of(results) == (False, False, None)
    check = checks_of(results)["attention_grad_q.gradient"]
    assert (check.score, check.evidence.first_wrong_link) == (0, "softmax Jacobian")
    assert "First wrong link: softmax Jacobian." in check.message


@pytest.mark.parametrize(
    ("change", "link"),
    [
        ({"grad_weights": lambda dO, V: dO @ V.T + 1}, "values matmul"),
        ({"grad_queries": lambda dS, K: dS @ K}, "scale"),
        ({"grad_queries": lambda dS, K: dS @ K / np.sqrt(K.shape[1]) + 1}, "scores matmul"),
        ({}, None),
    ],
)
def test_the_first_wrong_link_is_read_stage_by_stage(key, change, link):
    results = judge_functions(key, attention_grad_q=lambda Q, K, V, dO: GRADIENT(Q, K, V, dO) + 1, **change)
    assert checks_of(results)["attention_grad_q.gradient"].evidence.first_wrong_link == link


def test_right_stages_and_one_wrong_factor_point_at_the_scale(key):
    twice = lambda Q, K, V, dO: GRADIENT(Q, K, V, dO) / np.sqrt(Q.shape[1])
    evidence = checks_of(judge_functions(key, attention_grad_q=twice))["attention_grad_q.gradient"].evidence
    assert evidence.first_wrong_link == "scale"
    assert evidence.slope == pytest.approx(1, abs=0.2)


def constant_forward(value):
    def attention(Q, K, V):
        return np.full((len(Q), V.shape[1]), value), np.full((len(Q), len(K)), value)

    return attention


def uniform(Q, K, V):
    weights = np.full((len(Q), len(K)), 1 / len(K))
    return weights @ V, weights


@pytest.mark.parametrize("forward", [constant_forward(0.0), constant_forward(1.0), uniform])
def test_nothing_is_inherited_from_a_forward_that_ignores_its_input(key, forward):
    mine = chain_on(lambda Q, K: forward(Q, K, K)[1])
    results = judge_functions(key, attention=forward, attention_grad_q=mine, third_key=lambda: forward(*page()))
    assert verdicts_of(results) == (False, None, None)
    assert points_of(results) == 0
    assert checks_of(results)["third_key.values"].score == 0


@pytest.mark.parametrize(
    "forward",
    [constant_forward(0.0), lambda Q, K, V: (Q, K), lambda Q, K, V: (V, Q @ K.T), lambda Q, K, V: (None, None)],
)
@pytest.mark.parametrize("gradient", [lambda Q, K, V, dO: np.zeros_like(Q), lambda Q, K, V, dO: Q])
def test_zeros_and_returned_inputs_earn_nothing_through_any_verdict(key, forward, gradient):
    assert points_of(judge_functions(key, attention=forward, attention_grad_q=gradient)) == 0


def test_a_forward_in_single_precision_is_differentiated_with_a_coarse_step(key):
    def single(Q, K, V):
        return tuple(x.astype(np.float32) for x in unscaled(*(np.asarray(x, np.float32) for x in (Q, K, V))))

    def of_unscaled(Q, K, V, dO):
        weights = unscaled(Q, K, V)[1]
        dA = dO @ V.T
        return (weights * (dA - (weights * dA).sum(-1, keepdims=True))) @ K

    results = judge_functions(key, attention=single, attention_grad_q=of_unscaled)
    assert verdicts_of(results)[:2] == (False, True)
    assert points_of(results) == 7.5


def test_one_nearly_right_answer_of_a_wrong_forward_does_not_make_the_comparison_coarse(key):
    def shifted(Q, K, V):
        output, weights = ATTENTION(Q, K, V)
        return output + (1e-6 if len(K) == 60 else 1.0), weights

    results = judge_functions(key, attention=shifted, attention_grad_q=lambda *args: 1.005 * GRADIENT(*args))
    assert verdicts_of(results)[:2] == (False, False)
    assert points_of(results) == 0


@pytest.mark.parametrize("value", [1e308, -1e308, 1e200, np.inf, np.nan])
def test_huge_and_infinite_gradients_are_wrong_and_no_fault_of_the_grader(key, value):
    results = judge_functions(key, attention_grad_q=lambda Q, K, V, dO: np.full(Q.shape, value))
    check = checks_of(results)["attention_grad_q.gradient"]
    assert check.score == 0
    check.model_dump_json()


@pytest.mark.parametrize("value", [1e308, 1e200])
def test_a_huge_forward_is_wrong_and_no_fault_of_the_grader(key, value):
    forward = lambda Q, K, V: (V[:1] * value * np.ones((len(Q), 1)), SOFTMAX(Q @ K.T) * value)
    results = judge_functions(key, attention=forward)
    for check in checks_of(results).values():
        check.model_dump_json()
    assert checks_of(results)["attention.weights"].score == 0


@pytest.mark.parametrize("stage", STAGES)
def test_a_missing_stage_leaves_formula_and_consistency(key, stage):
    results = judge_functions(key, **{stage: None})
    assert verdicts_of(results) == (True, True, None)


def test_a_missing_forward_leaves_the_formula(key):
    results = judge_functions(key, attention=None)
    assert verdicts_of(results) == (True, None, None)
    assert points_of(results) == 7.5


def test_an_overflowing_derivative_of_the_own_forward_proves_nothing(key):
    rng = np.random.default_rng()

    def attention(Q, K, V):
        return rng.random((len(Q), V.shape[1])) * 1e306, REFERENCES["attention"](Q, K, V)[1]

    results = judge_functions(key, attention=attention, attention_grad_q=lambda Q, K, V, dO: Q * 0 + 7)
    assert checks_of(results)["attention_grad_q.gradient"].score == 0


def test_a_forward_that_loses_a_row_on_some_inputs_is_judged(key):
    def attention(Q, K, V):
        weights = REFERENCES["softmax"](Q @ K.T)
        if len(Q) == 3 and Q[0, 0] > 0:
            weights = weights[:2]
        return weights @ V, weights

    for sign in (1, -1):
        results = judge_functions(
            key,
            attention=lambda Q, K, V, sign=sign: attention(Q * sign, K, V),
            third_key=lambda: attention(np.array([[1.0, 0, 1, 0]]), np.eye(4)[:3], np.eye(3)[:, :2]),
        )
        assert 0 < score_of(results) < automatic_points()
