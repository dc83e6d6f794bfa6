"""Properties of the comparison: what is right stays right however it is computed, and noise counts by its size."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from grader.calls import Opaque, Wrapped
from grader.exercises.probe import Tolerance
from grader.judging.arrays import Band, distance, judge_item
from grader.judging.reading import Received, receive_array
from judging.answering import REFERENCES

ARRAYS = hnp.arrays(
    np.float64,
    hnp.array_shapes(min_dims=0, max_dims=3, max_side=4),
    elements=st.floats(-1e3, 1e3, allow_subnormal=False),
)
TOLERANCES = st.sampled_from(
    [Tolerance(), Tolerance(scale=1.0), Tolerance(right=1e-9, floor=1e-3), Tolerance(right=1e-8, note=None)]
)


@given(ARRAYS, TOLERANCES)
def test_the_right_answer_is_right(right, tolerance):
    verdict = judge_item(Received(right.copy()), right, tolerance, "y")
    assert (verdict.band, verdict.error, verdict.form) == (Band.RIGHT, 0.0, "")


@given(ARRAYS.filter(lambda a: a.size > 0), TOLERANCES, st.floats(1e-14, 1e3), st.integers(0, 1000))
def test_noise_counts_by_its_size_against_the_scale(right, tolerance, noise, place):
    y = right.copy()
    y.flat[place % y.size] += noise * tolerance.scaled_by(right)
    error = distance(y, right) / tolerance.scaled_by(right)  # what is left of the noise after rounding
    band = judge_item(Received(y), right, tolerance, "y").band
    if error <= tolerance.right:
        assert band is Band.RIGHT
    elif tolerance.note is not None and error <= tolerance.note:
        assert band is Band.NOTE
    else:
        assert band is Band.WRONG


@given(
    ARRAYS.filter(lambda a: a.size > 0), TOLERANCES, st.sampled_from([np.nan, np.inf, -np.inf]), st.integers(0, 1000)
)
def test_what_is_not_finite_is_wrong_anywhere(right, tolerance, value, place):
    y = right.copy()
    y.flat[place % y.size] = value
    assert judge_item(Received(y), right, tolerance, "y").band is Band.WRONG


def test_nan_equals_nothing_not_even_nan():
    nan = np.array([np.nan])
    assert judge_item(Received(nan), nan, Tolerance(), "y").band is Band.WRONG


@given(ARRAYS, TOLERANCES)
def test_scales_are_never_zero(right, tolerance):
    assert tolerance.scaled_by(right) > 0
    assert tolerance.scaled_by(np.zeros(3)) > 0
    assert tolerance.scaled_by(np.zeros(0)) > 0


@given(
    hnp.arrays(np.float64, hnp.array_shapes(min_dims=2, max_dims=2, max_side=6), elements=st.floats(-50, 50)),
    st.floats(-1e4, 1e4), st.floats(-1e4, 1e4),
)  # fmt: skip
def test_any_reformulation_of_softmax_is_right(x, constant, other):
    right = REFERENCES["softmax"](x)
    with np.errstate(over="ignore"):
        shifted = REFERENCES["softmax"](x + constant)
        by_log = np.exp(x - np.logaddexp.reduce(x, axis=-1, keepdims=True))
        by_ratio = 1 / np.exp(x[:, None, :] - x[:, :, None]).sum(-1)
    for y, bound in ((by_log, 1e-10), (by_ratio, 1e-10), (shifted, 1e-10)):
        assert judge_item(Received(y), right, Tolerance(right=bound, scale=1.0), "y").band is Band.RIGHT


@settings(max_examples=40)
@given(st.integers(1, 6), st.integers(1, 6), st.integers(1, 6), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_any_reformulation_of_attention_is_right_for_any_shape(n, m, d_k, d_v, seed):
    rng = np.random.default_rng(seed)
    Q, K, V = rng.standard_normal((n, d_k)), rng.standard_normal((m, d_k)), rng.standard_normal((m, d_v))
    right = REFERENCES["attention"](Q, K, V)[0]
    e = np.exp(np.einsum("id,jd->ij", Q * d_k**-0.25, K * d_k**-0.25))
    late = np.einsum("ij,jv->iv", e, V) / e.sum(1)[:, None]
    tolerance = Tolerance(scale=float(np.abs(V).max()))
    assert judge_item(Received(late), right, tolerance, "output").band is Band.RIGHT


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (np.ones(2), ""), (np.float32(1).item(), ""), (True, ""), (3, ""), (np.zeros(0), ""),
        ([1.0, 2.0], "a list, not an array"), ((1, 2), "a tuple, not an array"),
        (Wrapped("numpy.matrix", np.ones((1, 1))), "a numpy.matrix, not a plain array"),
    ],
)  # fmt: skip
def test_what_holds_real_numbers_is_read_as_them(value, form):
    received = receive_array(value)
    assert received.array is not None
    assert received.form == form


@pytest.mark.parametrize(
    "value",
    [None, "1", b"1", 1j, {}, {1: 2}, 2**64, [1, [2]], [1, "2"], [1j], [], [None], [2**70], [Opaque("x", "y")],
     np.array(["a"]), np.ones(2, complex), Opaque("generator", "why"), Wrapped("numpy.matrix", Opaque("a", "b"))],
    ids=str,
)  # fmt: skip
def test_what_holds_no_real_numbers_is_not(value):
    received = receive_array(value)
    assert received.array is None
    assert received.form


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.complex_numbers()


@given(st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.tuples(inner, inner), max_leaves=8))
def test_any_plain_value_is_read_without_an_error(value):
    received = receive_array(value)
    assert received.array is None or received.array.dtype.kind in "biuf"
