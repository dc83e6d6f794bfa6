"""What the ladders ask: simplest first, every size told apart, large scores that are not one-hot."""

import numpy as np
import pytest

from grader.calls import Smooth
from grader.course import find_course
from grader.exercises import EXERCISES
from grader.exercises.exercise import Rule
from grader.exercises.parts import ladder_of
from grader.exercises.probe import draw
from grader.key.building import draw_probes
from grader.key.frozen import load_key
from grader.sandbox.shared.smooth import SMOOTH

SEEDS = range(12)


@pytest.fixture(scope="module")
def key():
    return load_key(find_course().public_key)


def probes_of(function, seed):
    slug = next(slug for slug, e in EXERCISES.items() if function in {f.name for f in e.functions})
    return {p.id.partition("/")[2]: p for p in draw_probes(EXERCISES[slug], seed) if p.call.function == function}


def times(probe):
    """Return the arguments of a probe's call, each time that it is made."""
    return [args for args in (probe.call.args, probe.call.again) if args is not None]


def weights_of(Q, K):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    e = np.exp(scores - scores.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def test_a_ladder_starts_with_the_smallest_inputs(key):
    for exercise in EXERCISES.values():
        for function in exercise.functions:
            sizes = [
                sum(np.size(arg) for arg in probe.call.args if isinstance(arg, np.ndarray))
                for probe in key.probes
                if probe.call.function == function.name and probe.judged and not probe.call.constant
            ]
            assert not sizes or sizes[0] <= min(sizes) + 12


def test_attention_starts_with_one_by_one_by_one_and_small_integers(key):
    first, second = [probe.call.args for probe in key.probes if probe.call.function == "attention"][:2]
    assert [array.shape for array in first] == [(1, 1)] * 3
    for array in (*first, *second):
        assert np.array_equal(array, np.round(array))
        assert np.abs(array).max() <= 5


def test_the_rectangle_tells_every_size_and_every_root_apart():
    Q, K, V = probes_of("attention", 1)["rectangle"].call.args
    sizes = {len(Q), len(K), Q.shape[1], V.shape[1]}
    assert (len(Q), len(K), Q.shape[1], V.shape[1]) == (3, 5, 7, 6)
    assert len(sizes | {size**0.5 for size in sizes}) == 8


def test_the_heads_rectangle_tells_every_size_apart_and_a_second_one_has_another_number_of_heads():
    probes = probes_of("multi_head_attention", 1)
    Q, K, V, h = probes["wide"].call.args
    assert (len(Q), len(K), Q.shape[1], V.shape[1], h) == (8, 11, 15, 21, 3)
    assert len({8, 11, 15, 21, 3, 5, 7}) == 7  # also the widths of one head
    assert probes["narrow"].call.args[3] != h


def test_the_square_is_not_symmetric():
    for seed in SEEDS:
        Q, K, _ = probes_of("attention", seed)["square"].call.args
        assert len(Q) == len(K)
        weights = weights_of(Q, K)
        assert np.abs(weights - weights.T).max() > 0.01
        X = probes_of("softmax", seed)["square"].call.args[0]
        assert np.abs(X - X.T).max() > 0.01


@pytest.mark.parametrize("name", ["large", "low", "edge"])
def test_large_scores_are_nearly_tied_so_that_two_keys_share(name):
    for seed in SEEDS:
        Q, K, _ = probes_of("attention", seed)[name].call.args
        scores = Q @ K.T / np.sqrt(Q.shape[1])
        assert np.abs(scores).max() > 700
        steep = np.abs(scores).max(axis=1) > 700
        shared = np.sort(weights_of(Q, K), axis=1)[:, -2] > 0.05
        assert np.any(steep & shared)


@pytest.mark.parametrize("function", ["attention", "softmax"])
def test_single_precision_is_right_to_a_millionth_on_large_scores(function):
    for seed in SEEDS:
        for name in ("large", "low", "edge"):
            args = probes_of(function, seed)[name].call.args
            if function == "attention":
                double, single = (weights_of(*(a.astype(kind) for a in args[:2])) for kind in (np.float64, np.float32))
            else:
                double, single = (
                    np.exp(x - x.max(-1, keepdims=True)) / np.exp(x - x.max(-1, keepdims=True)).sum(-1, keepdims=True)
                    for x in (args[0], args[0].astype(np.float32))
                )
            assert np.abs(double - single).max() < 1e-6


def test_one_of_two_thousand_keys_dominates_without_being_alone():
    for seed in SEEDS:
        Q, K, _ = probes_of("attention", seed)["many"].call.args
        weights = np.sort(weights_of(Q, K)[0])
        assert len(K) == 2000
        assert 0.15 < weights[-1] < 0.9
        assert weights[-1] > 3 * weights[-2]


def test_a_small_number_in_every_exponential_stays_in_the_note_band_with_two_thousand_keys():
    for seed in (*SEEDS, 1715, 1737, 1858, 1902):
        Q, K, _ = probes_of("attention", seed)["many"].call.args
        scores = Q @ K.T / np.sqrt(Q.shape[1])
        e = np.exp(scores - scores.max(1, keepdims=True)) + 1e-8
        assert np.abs(e / e.sum(1, keepdims=True) - weights_of(Q, K)).max() < 5e-6


def test_stage_functions_get_weights_that_are_weights_and_no_other_probes_answer(key):
    answers = [item for answer in key.answers.values() for item in answer.items]
    for seed in SEEDS:
        for probe in probes_of("grad_scores", seed).values():
            if not probe.judged:
                continue
            for weights, _ in times(probe):
                assert np.all(weights > 0) or not probe.naming
                assert np.all(weights >= 0)
                assert np.abs(weights.sum(1) - 1).max() < 1e-12
                assert not any(a.shape == weights.shape and np.allclose(a, weights) for a in answers)


def test_gradients_arriving_at_the_output_are_never_ones():
    for seed in SEEDS:
        for function, place in (("attention_grad_q", 3), ("grad_weights", 0)):
            for probe in probes_of(function, seed).values():
                for args in times(probe):
                    assert hasattr(args[place], "call") or not np.allclose(args[place], 1)


def test_the_winner_is_never_tied_not_always_the_last_and_not_always_the_same():
    for seed in SEEDS:
        winners = []
        for probe in probes_of("dominant_key", seed).values():
            for weights in (args[0] for args in times(probe) if args[0].shape[1] > 1):
                top = np.sort(weights, axis=1)
                assert np.all(top[:, -1] - top[:, -2] > 1e-3)
                last = weights.argmax(1) == weights.shape[1] - 1
                assert not np.all(last)
                winners.append(weights.argmax(1))
        assert any(len(set(row.tolist())) > 1 for row in winners)


def test_inputs_of_every_kind_are_asked(key):
    calls = [probe.call for probe in key.probes]
    asked = {call.id.partition("/")[2] for call in calls if call.function == "attention"}
    assert {"fortran", "again", "readonly", "kept"} <= asked
    assert {call.order for call in calls} == {"C", "F", "S"}
    assert any(call.single for call in calls)
    assert any(call.readonly for call in calls)
    assert any(call.again for call in calls)
    for name in ("softmax", "attention", "add_key", "multi_head_attention", "softmax_jacobian", "numerical_gradient"):
        arrays = [arg for call in calls if call.function == name for arg in call.args if isinstance(arg, np.ndarray)]
        assert any(array.dtype.kind == "i" for array in arrays), name


def test_every_check_is_fed_and_every_share_is_positive(key):
    fed = {name for probe in key.probes for name in probe.checks}
    names = [check.name for exercise in EXERCISES.values() for check in exercise.checks]
    assert len(set(names)) == len(names)
    for exercise in EXERCISES.values():
        for check in exercise.checks:
            assert check.points > 0
            assert check.rule is Rule.FORM or check.name in fed
    assert fed <= set(names)


def test_container_and_behaviour_shares_are_small():
    for exercise in EXERCISES.values():
        for check in exercise.checks:
            if check.rule in (Rule.FORM, Rule.UNMODIFIED):
                assert check.points <= 0.25


def test_no_number_comes_back_by_adding_and_subtracting_the_step_where_x_must_stay():
    for seed in (*SEEDS, 1846, 1900):
        _, x, h = probes_of("numerical_gradient", seed)["kept"].call.args
        assert x.shape == (3, 4)
        assert np.all(x + h - 2 * h + h != x)


def slopes(f, x, step):
    """Return central and forward differences."""
    ahead, behind = np.empty_like(x), np.empty_like(x)
    for index in np.ndindex(x.shape):
        move = np.zeros_like(x)
        move[index] = step if np.ndim(step) == 0 else step[index]
        ahead[index], behind[index] = f(x + move), f(x - move)
    return (ahead - behind) / (2 * step), (ahead - f(x)) / step


def errors_of(probe, step_of):
    """Yield the errors of central and forward differences in units of the limit, each time that the call is made."""
    gradients = ladder_of(EXERCISES["gradient_chain"]).gradients
    for (smooth, point, *h), tolerance in zip(times(probe), probe.tolerances, strict=True):
        assert isinstance(smooth, Smooth)
        x = point.astype(float)
        right = gradients[smooth.name](x)
        limit = tolerance.right * tolerance.scaled_by(np.asarray(right))
        found = slopes(SMOOTH[smooth.name], x, step_of(x, h[0] if h else 1e-5))
        yield tuple(float(np.abs(one - right).max()) / limit for one in found)


def test_forward_differences_are_far_beyond_the_limit_and_central_ones_within():
    for seed in SEEDS:
        excess = []
        for probe in probes_of("numerical_gradient", seed).values():
            for central, forward in errors_of(probe, lambda x, h: h):
                assert central < 0.5, probe.id
                excess.append(forward)
        assert max(excess) > 10


@pytest.mark.parametrize(
    "step_of",
    [
        lambda x, h: 1e-5,
        lambda x, h: h * np.maximum(1, np.abs(x)),
        lambda x, h: h * (1 + np.abs(x)),
        lambda x, h: h * max(1.0, np.abs(x).max()),
    ],
    ids=["ignored", "relative above one", "relative everywhere", "relative to the largest"],
)
def test_a_step_that_is_ignored_or_made_relative_is_beyond_the_limit(step_of):
    for seed in SEEDS:
        probe = probes_of("numerical_gradient", seed)["far"]
        assert max(central for central, _ in errors_of(probe, step_of)) > 10


def test_drawn_numbers_have_three_decimals():
    numbers = draw(np.random.default_rng(0), 50, 3)
    assert np.array_equal(numbers, np.round(numbers, 3))


def gradient(Q, K, V, dO):
    """Return dQ, in the type of the arrays throughout."""
    root = Q.dtype.type(np.sqrt(Q.shape[1]))
    scores = Q @ K.T / root
    e = np.exp(scores - scores.max(1, keepdims=True))
    weights, dA = e / e.sum(1, keepdims=True), dO @ V.T
    return weights * (dA - np.sum(weights * dA, axis=1, keepdims=True)) @ K / root


def test_single_precision_stays_within_the_note_band_also_where_the_gradient_vanishes():
    for seed in range(100):
        for probe in probes_of("attention_grad_q", seed).values():
            for args, tolerance in zip(times(probe), probe.tolerances, strict=False):
                double, single = (gradient(*(x.astype(kind) for x in args)) for kind in (np.float64, np.float32))
                allowed = (tolerance.note or tolerance.right) * tolerance.scaled_by(double)
                assert np.abs(single - double).max() <= allowed, (seed, probe.id)
