import numpy as np
import pytest

from grader.sandbox.child import worker
from grader.sandbox.shared.smooth import SMOOTH

RNG = np.random.default_rng(7)


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("shape", [(), (1,), (5,), (2, 3), (2, 1, 4)])
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


def test_the_worker_offers_them():
    assert worker.SMOOTH is SMOOTH
