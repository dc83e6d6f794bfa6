"""The smooth functions are written once: what is made from their expressions is held against formulas written here."""

import numpy as np
import pytest

from grader.exercises.gradient_chain.smooth_gradients import GRADIENTS
from grader.judging.counterexamples import write_smooth
from grader.sandbox.child import worker
from grader.sandbox.shared.smooth import EXPRESSIONS, SMOOTH

RNG = np.random.default_rng(7)
SHAPES = [(), (1,), (5,), (2, 3), (2, 1, 4)]


def weights(x):
    return 0.5 + np.arange(1, x.size + 1) / (x.size + 1)


def neighbours(x):
    """Return the sum of both neighbours of each coordinate."""
    return np.append(x[1:], 0) + np.append(0, x[:-1]) if x.size else x


# Value and gradient of each, for a flat x with weights w.
FORMULAS = {
    "sum of sines": (lambda x, w: np.sum(np.sin(w * x)), lambda x, w: w * np.cos(w * x)),
    "log of a sum of squares plus one": (
        lambda x, w: np.log(1 + np.sum(w * x**2)),
        lambda x, w: 2 * w * x / (1 + np.sum(w * x**2)),
    ),
    "weighted exponential": (lambda x, w: np.sum(w * np.exp(x / 4)), lambda x, w: w * np.exp(x / 4) / 4),
    "cosine of a weighted sum": (lambda x, w: np.cos(np.sum(w * x)), lambda x, w: -w * np.sin(np.sum(w * x))),
    "cubes and neighbours": (
        lambda x, w: np.sum(w * x**3) / 3 + np.sum(x[:-1] * x[1:]),
        lambda x, w: w * x**2 + neighbours(x),
    ),
}


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_gives_one_finite_number(name, shape):
    value = SMOOTH[name](RNG.standard_normal(shape))
    assert type(value) is float
    assert np.isfinite(value)


@pytest.mark.parametrize("name", SMOOTH)
def test_integers_and_floats_of_any_layout_give_the_same(name):
    x = np.array([[1, -2, 3], [0, 2, -1]])
    assert SMOOTH[name](x) == SMOOTH[name](x.astype(float)) == SMOOTH[name](np.asfortranarray(x)) == SMOOTH[name](x)


@pytest.mark.parametrize("name", SMOOTH)
def test_every_coordinate_counts_differently(name):
    x = np.full(6, 0.3)
    moved = [SMOOTH[name](x + 1e-3 * (np.arange(6) == i)) - SMOOTH[name](x) for i in range(6)]
    assert min(map(abs, moved)) > 1e-6
    assert np.min(np.abs(np.subtract.outer(moved, moved)[~np.eye(6, dtype=bool)])) > 1e-9


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("shape", SHAPES)
def test_values_and_gradients_are_those_of_the_formulas(name, shape):
    value, gradient = FORMULAS[name]
    for scale in (0.0, 0.1, 1.0, 3.0):
        x = RNG.standard_normal(shape) * scale
        right = gradient(x.ravel(), weights(x)).reshape(shape)
        assert abs(SMOOTH[name](x) - value(x.ravel(), weights(x))) <= 1e-13
        assert GRADIENTS[name](x).shape == shape
        assert np.max(np.abs(GRADIENTS[name](x) - right)) <= 5e-15 * max(1.0, np.max(np.abs(right)))


@pytest.mark.parametrize("name", SMOOTH)
def test_what_is_zero_in_a_gradient_is_exactly_zero(name):
    x = np.zeros(4)
    assert np.array_equal(GRADIENTS[name](x) == 0, FORMULAS[name][1](x, weights(x)) == 0)


@pytest.mark.parametrize("name", SMOOTH)
def test_the_text_of_a_function_gives_the_very_same_numbers(name):
    f = eval(write_smooth(name), {"np": np})
    for shape in SHAPES:
        x = RNG.standard_normal(shape)
        assert f(np.asarray(x)) == SMOOTH[name](x)


@pytest.mark.parametrize("name", SMOOTH)
def test_arguments_that_refuse_to_be_written_to_are_taken(name):
    x = RNG.standard_normal((2, 3))
    x.flags.writeable = False
    assert np.isfinite(SMOOTH[name](x))
    assert np.isfinite(GRADIENTS[name](x)).all()


def test_a_function_stays_what_it_is_where_a_submission_rebinds_numpy(monkeypatch):
    x = RNG.standard_normal(4)
    before = [f(x) for f in SMOOTH.values()]
    for name in ("sin", "cos", "exp", "log1p", "dot", "ravel", "asarray", "arange"):
        monkeypatch.setattr(np, name, None)
    assert [f(x) for f in SMOOTH.values()] == before


def test_a_child_cannot_get_a_gradient_from_them_by_complex_numbers():
    with pytest.warns(np.exceptions.ComplexWarning):
        assert {type(f(np.ones(3) + 1e-20j)) for f in SMOOTH.values()} == {float}


def test_the_worker_offers_them():
    assert worker.SMOOTH is SMOOTH
    assert set(SMOOTH) == set(EXPRESSIONS) == set(GRADIENTS) == set(FORMULAS)
