"""A known mistake is named where it explains everything, and a right answer never is."""

import numpy as np
import pytest

from builders import automatic_points
from grader.course import find_course, load_solutions
from grader.exercises import asked_names
from grader.exercises.catalogue import CATALOGUE
from grader.exercises.exercise import Severity
from grader.report import Outcome
from judging.answering import REFERENCES, checks_of, judge_functions, score_of

MISTAKES = load_solutions(find_course(), asked_names()).mistakes
ATTENTION, SOFTMAX = REFERENCES["attention"], REFERENCES["softmax"]


def codes_of(results, function):
    checks = [check for check in checks_of(results).values() if check.function == function]
    return {m.code for check in checks for m in (check.mistake, *check.further_mistakes) if m is not None}


@pytest.mark.parametrize(
    ("function", "code"),
    [
        ("attention", "E1-01"), ("attention", "E1-10"), ("attention", "E1-14"), ("attention", "E1-20"),
        ("softmax", "E1-14"), ("add_key", "E1-49"), ("third_key", "E1-52"), ("dominant_key", "E1-59"),
        ("multi_head_attention", "E2-01"), ("multi_head_attention", "E2-03"), ("softmax_jacobian", "E3J-01"),
        ("attention_grad_q", "E3B-01"), ("numerical_gradient", "FD-01"),
    ],
)  # fmt: skip
def test_a_known_mistake_loses_points_and_is_called_by_its_code(key, function, code):
    results = judge_functions(key, **{function: MISTAKES[function][code]})
    found = codes_of(results, function)
    assert found & {code, *CATALOGUE[code].aliases}
    failed = [check for check in checks_of(results).values() if check.function == function and check.mistake]
    assert all(check.score < check.max_score for check in failed)
    for check in failed:
        observation, experiment, idea = check.hints
        assert observation == check.message
        assert experiment
        assert idea


def test_a_right_answer_is_not_named_even_where_a_mistake_fits_some_probes(key):
    results = judge_functions(key)
    assert not any(check.mistake for check in checks_of(results).values())


def test_an_unknown_mistake_is_not_named(key):
    odd = lambda Q, K, V: (ATTENTION(Q, K, V)[0] + 0.125, ATTENTION(Q, K, V)[1])
    assert codes_of(judge_functions(key, attention=odd), "attention") == set()


@pytest.mark.parametrize("function", ["softmax", "grad_weights", "softmax_jacobian", "numerical_gradient"])
def test_truth_values_instead_of_numbers_are_a_wrong_answer(key, function):
    results = judge_functions(key, **{function: lambda *args: REFERENCES[function](*args) > 0})
    assert Outcome.FAILED in {c.outcome for c in checks_of(results).values() if c.function == function}
    assert codes_of(results, function) == set()


def test_a_mistake_in_single_precision_is_still_named(key):
    def no_scale(Q, K, V):
        Q, K, V = (np.asarray(x, np.float32) for x in (Q, K, V))
        weights = SOFTMAX(Q @ K.T)
        return weights @ V, weights

    assert codes_of(judge_functions(key, attention=no_scale), "attention") == {"E1-01"}


def test_a_slip_beside_a_second_one_in_another_check_is_named_where_it_fits(key):
    def two_slips(x, axis=-1):
        if np.ndim(x) != 2 or axis != -1:
            return np.zeros_like(x, dtype=float)
        e = np.exp(np.asarray(x, float))
        return e / e.sum(-1, keepdims=True)

    checks = checks_of(judge_functions(key, softmax=two_slips))
    assert checks["softmax.large"].mistake.code == "E1-14"
    assert checks["softmax.axes"].mistake is None


def test_complex_numbers_are_named_nothing_and_raise_no_warning(key):
    results = judge_functions(key, softmax=lambda x, axis=-1: SOFTMAX(x, axis) + 0j)
    assert checks_of(results)["softmax.rows"].outcome is Outcome.FAILED
    assert codes_of(results, "softmax") == set()


def test_a_note_keeps_full_marks_and_may_carry_a_name(key):
    epsilon = MISTAKES["attention"]["E1-17"]
    results = judge_functions(key, attention=epsilon)
    assert score_of(results) == automatic_points()
    assert codes_of(results, "attention") == {"E1-17"}
    assert CATALOGUE["E1-17"].severity is Severity.NOTE


@pytest.mark.parametrize(
    ("divisor", "words"),
    [
        (lambda d_k: d_k**0.5 * 1.5, "divided by 3.969 for d_k = 7: another divisor than asked for."),
        (lambda d_k: (d_k + 1) ** 0.5, "divided by the root of d_k + 1."),
        (lambda d_k: 3.7, "divided by 3.7, whatever the sizes."),
    ],
)
def test_an_unnamed_scale_is_read_from_the_weights(key, divisor, words):
    def attention(Q, K, V):
        weights = SOFTMAX(Q @ K.T / divisor(Q.shape[1]))
        return weights @ V, weights

    check = checks_of(judge_functions(key, attention=attention))["attention.weights"]
    assert check.mistake is None
    assert check.message.endswith(words)


def test_right_weights_are_never_said_to_have_another_scale(key):
    offset = lambda Q, K, V: (ATTENTION(Q, K, V)[0] + 1, ATTENTION(Q, K, V)[1])
    check = checks_of(judge_functions(key, attention=offset))["attention.output"]
    assert "divided by" not in check.message
    assert checks_of(judge_functions(key, attention=offset))["attention.weights"].score == 4


def test_one_factor_is_read_of_the_thing_that_the_check_is_about(key):
    def attention(Q, K, V):
        output, weights = ATTENTION(Q, K, V)
        return 3 * output, weights + 1

    checks = checks_of(judge_functions(key, attention=attention))
    assert checks["attention.output"].message.endswith("Every entry of output is 3 times the right one.")
    assert "times the right one" not in checks["attention.weights"].message


def test_one_factor_of_a_single_result_is_read(key):
    results = judge_functions(key, grad_weights=lambda dO, V: -3 * REFERENCES["grad_weights"](dO, V))
    assert checks_of(results)["grad_weights.values"].message.endswith("Every entry is -3 times the right one.")


@pytest.mark.parametrize("function", ["head_scale", "score_variance"])
def test_nothing_is_read_from_a_secret_number(key, function):
    results = judge_functions(key, **{function: lambda d_k, h: REFERENCES[function](d_k, h) * 7})
    first = next(probe.call.args for probe in key.probes if probe.call.function == function)
    assert checks_of(results)[f"{function}.values"].message == f"`{function}{first}` does not give the right answer."


def test_every_known_code_is_in_the_catalogue(key):
    codes = {part for table in key.mistakes.values() for code in table for part in code.split("+")}
    assert codes == set(CATALOGUE)


def test_an_exception_or_nan_that_a_mistake_shares_gives_no_name_to_a_part(key):
    def softmax(x, axis=-1):
        out = np.zeros_like(x)
        np.exp(x - np.max(x, axis=axis, keepdims=True), out=out)
        out /= out.sum(axis=axis, keepdims=True)
        return out

    checks = checks_of(judge_functions(key, softmax=softmax))
    assert checks["softmax.axes"].outcome is Outcome.ERROR
    assert checks["softmax.axes"].mistake is None


def test_equal_numbers_that_a_mistake_shares_give_no_name_to_a_part(key):
    def jacobian(z):
        e = np.exp(z)
        with np.errstate(all="ignore"):
            s = np.nan_to_num(e / e.sum(), nan=0.0)
        return np.diag(s) - np.outer(s, s)

    checks = checks_of(judge_functions(key, softmax_jacobian=jacobian))
    assert checks["softmax_jacobian.large"].outcome is Outcome.FAILED
    assert checks["softmax_jacobian.large"].mistake is None


def test_right_for_ordinary_scores_is_said_only_where_it_is_true(key):
    def growing(x, axis=-1):
        e = np.exp(np.abs(x))
        return e / e.sum(axis=axis, keepdims=True)

    checks = checks_of(judge_functions(key, softmax=growing))
    assert "Right for ordinary scores" not in checks["softmax.large"].message


@pytest.mark.parametrize("step", [1e-11, 1e-12, 1e-13])
@pytest.mark.parametrize("sides", [1, 2])
def test_a_step_that_is_far_too_small_is_named_whatever_the_processor_rounds_to(key, step, sides):
    def numerical_gradient(f, x, h=1e-5):
        x = np.asarray(x, float)
        found = np.zeros_like(x)
        for place in np.ndindex(*x.shape):
            move = np.zeros_like(x)
            move[place] = step
            found[place] = (f(x + move) - f(x - move * (sides - 1))) / (sides * step)
        return found

    results = judge_functions(key, numerical_gradient=numerical_gradient)
    assert codes_of(results, "numerical_gradient") == {"FD-02"}


@pytest.mark.parametrize("noise", [1e-5, 1e-4, 1e-3])
def test_a_gradient_with_other_noise_is_not_said_to_have_a_tiny_step(key, noise):
    rng = np.random.default_rng(1)
    right = REFERENCES["numerical_gradient"]
    noisy = lambda f, x, h=1e-5: right(f, x, h) + noise * rng.standard_normal(np.shape(x))
    assert codes_of(judge_functions(key, numerical_gradient=noisy), "numerical_gradient") == set()
