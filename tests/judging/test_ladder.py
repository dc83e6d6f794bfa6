"""The rungs of a ladder in order, the tolerances, and what shares of points depend on."""

import numpy as np
import pytest

from builders import automatic_points, written_points
from grader.report import Outcome
from judging.answering import REFERENCES, checks_of, judge_functions, score_of

ATTENTION, SOFTMAX = REFERENCES["attention"], REFERENCES["softmax"]


def test_the_reference_has_every_point_and_not_a_word_to_say(key):
    results = judge_functions(key)
    checks = checks_of(results)
    assert score_of(results) == automatic_points()
    assert sum(result.pending_score for result in results) == written_points()
    assert {check.outcome for check in checks.values() if check.name != "explanation.written"} == {Outcome.PASSED}
    assert [check.name for check in checks.values() if check.message] == ["explanation.written"]
    assert not any(check.mistake or check.counterexample for check in checks.values())


def test_nothing_at_all_is_missing_with_no_points(key):
    results = judge_functions(key, **dict.fromkeys(REFERENCES))
    assert score_of(results) == 0
    assert {check.outcome for check in checks_of(results).values()} == {Outcome.MISSING}


def test_the_counterexample_is_the_first_failing_rung(key):
    def wrong_from_two_queries_on(Q, K, V):
        output, weights = ATTENTION(Q, K, V)
        return (output, weights) if len(Q) == 1 else (output, weights[::-1])

    check = checks_of(judge_functions(key, attention=wrong_from_two_queries_on))["attention.weights"]
    assert check.counterexample.rung == "3 queries, 5 keys, d_k = 7, d_v = 6"

    check = checks_of(judge_functions(key, attention=lambda Q, K, V: (V[:1] + 1, SOFTMAX(Q @ K.T))))["attention.output"]
    assert check.counterexample.rung == "one query, one key"


def test_each_check_speaks_of_the_thing_that_it_is_about(key):
    checks = checks_of(judge_functions(key, attention=lambda Q, K, V: (ATTENTION(Q, K, V)[0] * 3, SOFTMAX(Q @ K.T))))
    assert "output[" in checks["attention.output"].message
    assert "weights[" in checks["attention.weights"].message
    assert np.shape(checks["attention.weights"].evidence.student) == (1, 2)
    assert np.shape(checks["attention.output"].evidence.student) == (1, 1)


def noisy(size):
    """Return softmax with its first entry off by so much."""

    def softmax(x, axis=-1):
        out = SOFTMAX(x, axis)
        out.flat[0] += size
        return out

    return softmax


@pytest.mark.parametrize("size", [1e-16, 1e-13, 0.9e-10, -0.9e-10])
def test_noise_below_the_limit_is_right_without_a_note(key, size):
    checks = checks_of(judge_functions(key, softmax=noisy(size)))
    assert checks["softmax.rows"].score == 2.75
    assert checks["softmax.rows"].message == ""


@pytest.mark.parametrize("size", [1.1e-10, 1e-7, -0.9e-5])
def test_in_the_note_band_marks_are_full_and_a_note_says_why(key, size):
    results = judge_functions(key, softmax=noisy(size))
    checks = checks_of(results)
    assert score_of(results) == automatic_points()
    assert checks["softmax.rows"].outcome is Outcome.PASSED
    assert "Full marks" in checks["softmax.rows"].message


@pytest.mark.parametrize("size", [1.1e-5, -1e-3, 1.0, 1e308, np.inf, -np.inf, np.nan])
def test_above_the_note_band_or_not_finite_is_wrong(key, size):
    checks = checks_of(judge_functions(key, softmax=noisy(size)))
    for name in ("softmax.rows", "softmax.axes", "softmax.large"):
        assert (checks[name].outcome, checks[name].score) == (Outcome.FAILED, 0)
    assert checks["softmax.form"].score == 0.25


def test_single_precision_keeps_full_marks_and_is_told(key):
    def attention(Q, K, V):
        return ATTENTION(*(np.asarray(x, np.float32) for x in (Q, K, V)))

    results = judge_functions(key, attention=attention)
    check = checks_of(results)["attention.weights"]
    assert score_of(results) == automatic_points()
    assert "float32" in check.message
    assert check.outcome is Outcome.PASSED


def test_nan_in_the_same_place_as_a_nan_of_arithmetic_is_never_equal(key):
    def unstable(Q, K, V):
        with np.errstate(all="ignore"):
            e = np.exp(Q @ K.T / np.sqrt(Q.shape[1]))
            return (e / e.sum(-1, keepdims=True)) @ V, e / e.sum(-1, keepdims=True)

    checks = checks_of(judge_functions(key, attention=unstable))
    assert checks["attention.large"].score == 0
    assert "nan" in checks["attention.large"].message
    assert "Right for ordinary scores" in checks["attention.large"].message
    assert checks["attention.weights"].score == 4


def test_a_difference_too_small_for_six_digits_is_still_seen(key):
    exact = REFERENCES["numerical_gradient"]
    checks = checks_of(judge_functions(key, numerical_gradient=lambda f, x, h=1e-5: exact(f, x, h) * (1 + 3e-5)))
    message = checks["numerical_gradient.values"].message
    mine, right = message.rpartition(" is right.")[0].rpartition(" is ")[2].split(" where ")
    assert mine != right


def test_a_result_that_the_second_call_overwrites_loses_the_inputs_share_only(key):
    shared = {}

    def attention(Q, K, V):
        output, weights = ATTENTION(Q, K, V)
        kept = shared.setdefault(output.shape, output)
        kept[...] = output
        return kept, weights

    checks = checks_of(judge_functions(key, attention=attention))
    assert checks["attention.inputs"].score == 0
    shown = checks["attention.inputs"].counterexample
    assert shown.rung == "two calls, the first result looked at last"
    assert checks["attention.output"].score == 3.5


@pytest.mark.parametrize(
    ("function", "change", "lost"),
    [
        ("softmax", lambda x, axis=-1: x.__isub__(x.max(axis, keepdims=True)), 0.25),
        ("softmax_jacobian", lambda z: z.__isub__(z.max()), 0.25),
        ("grad_scores", lambda weights, dA: dA.__imul__(1.0), 0.0),
        ("grad_scores", lambda weights, dA: weights.__iadd__(0.0), 0.0),
    ],
)
def test_only_a_change_that_can_be_seen_costs_its_share(key, function, change, lost):
    reference = REFERENCES[function]

    def changing(*args):
        right = reference(*args)
        if args[0].dtype.kind == "f" and args[0].flags.writeable and args[0].ndim > 0:
            change(*args)
        return right

    results = judge_functions(key, **{function: changing})
    assert score_of(results) == automatic_points() - lost
    check = checks_of(results)[f"{function}.unmodified"]
    if lost:
        assert check.message.startswith(f"`{function}` changes {'x' if function == 'softmax' else 'z'} in place")
        assert check.counterexample is not None


def test_writing_into_a_read_only_array_is_named_as_that(key):
    def softmax(x, axis=-1):
        x *= 1.0
        return SOFTMAX(x, axis)

    check = checks_of(judge_functions(key, softmax=softmax))["softmax.unmodified"]
    assert (check.outcome, check.score) == (Outcome.FAILED, 0)
    assert "read-only" in check.message


class WrongHeadsError(ValueError):
    pass


@pytest.mark.parametrize(
    ("error", "earned"),
    [(ValueError, 1.5), (WrongHeadsError, 1.5), (UnicodeError, 1.5), (TypeError, 0), (Exception, 0)],
)
def test_a_promised_error_may_be_a_subclass_and_nothing_else(key, error, earned):
    split = REFERENCES["split_heads"]

    def split_heads(X, num_heads):
        if X.shape[1] % num_heads:
            raise error(num_heads)
        return split(X, num_heads)

    check = checks_of(judge_functions(key, split_heads=split_heads))["split_heads.refuses"]
    assert check.score == earned
    if not earned:
        assert check.message == (
            f"`split_heads` raises {error.__name__} for 6 columns, four heads, where ValueError is promised."
        )


def test_a_value_in_place_of_a_promised_error_loses_that_share_only(key):
    def split_heads(X, num_heads):
        width = X.shape[1] // num_heads
        return np.stack([X[:, k * width : (k + 1) * width] for k in range(num_heads)])

    results = judge_functions(key, split_heads=split_heads)
    assert score_of(results) == automatic_points() - 1.5
    assert "returns a value" in checks_of(results)["split_heads.refuses"].message


def test_refusing_everything_refuses_nothing(key):
    def refuse(*args):
        raise ValueError

    results = judge_functions(key, split_heads=refuse, multi_head_attention=refuse)
    checks = checks_of(results)
    assert checks["split_heads.refuses"].outcome is Outcome.SKIPPED
    assert score_of(results) == automatic_points() - 16


def test_a_large_scores_share_is_its_own(key):
    def softmax(x, axis=-1):
        with np.errstate(all="ignore"):
            e = np.exp(np.asarray(x, float))
            return e / e.sum(axis, keepdims=True)

    assert score_of(judge_functions(key, softmax=softmax)) == automatic_points() - 1.5


def test_of_a_call_made_twice_the_wrong_one_is_told(key):
    def softmax(x, axis=-1):
        right = REFERENCES["softmax"](x, axis)
        return right + 1 if axis == -2 else right

    message = checks_of(judge_functions(key, softmax=softmax))["softmax.axes"].message
    rung = "axis=1 with rows alike, then axis=-2 with positive scores; read-only"
    assert message.startswith(f"{rung}, in the second call: probabilities[")


@pytest.mark.parametrize("wrong", [(35, 5), (42, 7)])
def test_of_a_secret_number_asked_twice_the_wrong_call_is_told(key, wrong):
    results = judge_functions(key, head_scale=lambda d_k, h: 2.0 if (d_k, h) == wrong else (h / d_k) ** 0.5)
    message = checks_of(results)["head_scale.values"].message
    assert message == f"`head_scale{wrong}` does not give the right answer."


def test_writing_into_a_read_only_argument_costs_its_share_and_no_values(key):
    def attention(Q, K, V):
        Q += 0.0 * Q
        return REFERENCES["attention"](Q, K, V)

    def grad_weights(dO, V):
        if dO.dtype.kind == "f":
            dO += 0.0
        return REFERENCES["grad_weights"](dO, V)

    results = judge_functions(key, attention=attention, grad_weights=grad_weights)
    lost = {name: check.score for name, check in checks_of(results).items() if check.score < check.max_score}
    # Integers cannot take the fractions: that is a matter of values.
    assert set(lost) == {"attention.unmodified", "attention.inputs", "explanation.written"}


def test_wrong_numbers_from_read_only_arguments_are_wrong(key):
    def grad_weights(dO, V):
        return REFERENCES["grad_weights"](dO, V) + (0.0 if dO.flags.writeable else 1.0)

    checks = checks_of(judge_functions(key, grad_weights=grad_weights))
    assert checks["grad_weights.values"].score == 0
    assert "read-only" in checks["grad_weights.values"].message


def test_arrays_that_come_in_single_precision_may_go_back_in_it_without_a_note(key):
    def softmax(x, axis=-1):
        right = REFERENCES["softmax"](x, axis)
        return right.astype(np.float32) if x.dtype == np.float32 else right

    assert checks_of(judge_functions(key, softmax=softmax))["softmax.axes"].message == ""
