"""softmax and attention: the numbers of the course page, extreme scores, and what must not change the answer."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

sizes = st.integers(1, 12)
seeds = st.integers(0, 2**32 - 1)


def draw(seed, n, m, d_k, d_v):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, d_k)), rng.standard_normal((m, d_k)), rng.standard_normal((m, d_v))


def test_worked_example_gives_one_half_twice(attention, page):
    Q, K, V = page
    output, weights = attention(Q, K[:2], V[:2])
    assert np.allclose(weights, [[0.5, 0.5]], rtol=0, atol=1e-15)
    assert np.allclose(output, [[0.5, 0.5]], rtol=0, atol=1e-15)


def test_output_is_the_average_written_out_with_loops(attention):
    Q, K, V = draw(3, 3, 5, 7, 6)
    output, weights = attention(Q, K, V)
    for i in range(3):
        exponentials = [np.exp(sum(Q[i, c] * K[j, c] for c in range(7)) / 7**0.5) for j in range(5)]
        shares = np.array(exponentials) / sum(exponentials)
        assert np.allclose(weights[i], shares, rtol=0, atol=1e-14)
        assert np.allclose(output[i], sum(shares[j] * V[j] for j in range(5)), rtol=0, atol=1e-14)


@pytest.mark.parametrize(("shape", "axis"), [((6,), -1), ((3, 5), -1), ((3, 5), 0), ((2, 3, 4), 1), ((2, 3, 4), 0)])
def test_softmax_sums_to_one_along_its_axis(softmax, shape, axis):
    x = np.random.default_rng(1).standard_normal(shape) * 3
    weights = softmax(x, axis)
    assert weights.shape == shape
    assert np.allclose(weights.sum(axis=axis), 1.0, rtol=0, atol=1e-14)
    assert np.allclose(weights, np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True), rtol=0, atol=1e-14)


@pytest.mark.parametrize("level", [1e4, -1e4])
def test_softmax_of_huge_scores_depends_on_gaps_alone(softmax, level):
    gaps = np.array([0.0, 1.0, -2.0, 0.5])
    assert np.allclose(softmax(level + gaps), softmax(gaps), rtol=0, atol=1e-12)


def test_softmax_of_far_apart_scores_is_exactly_one_and_zero(softmax):
    assert softmax(np.array([1e4, -1e4, 0.0])).tolist() == [1.0, 0.0, 0.0]


def test_integers_give_the_same_as_floats(attention, softmax):
    Q, K, V = (np.random.default_rng(5).integers(-3, 4, (4, 4)) for _ in range(3))
    for small in (Q, Q.astype(np.int8), Q.astype(np.int32)):
        output, weights = attention(small, K, V)
        wanted = attention(Q.astype(float), K.astype(float), V.astype(float))
        assert (output.dtype, weights.dtype) == (np.float64, np.float64)
        assert np.array_equal(output, wanted[0])
    assert np.array_equal(softmax(np.array([1, 2, 3], dtype=np.uint8)), softmax(np.array([1.0, 2.0, 3.0])))


@pytest.mark.parametrize(
    ("dtype", "returned"), [("float64", "float64"), ("float32", "float32"), ("float16", "float32")]
)
def test_precision_of_the_input_is_kept_but_never_half(attention, dtype, returned):
    Q, K, V = (array.astype(dtype) for array in draw(2, 3, 5, 7, 6))
    assert {array.dtype for array in attention(Q, K, V)} == {np.dtype(returned)}


@given(seeds, sizes, sizes, sizes, sizes)
def test_order_of_the_keys_does_not_matter(attention, seed, n, m, d_k, d_v):
    Q, K, V = draw(seed, n, m, d_k, d_v)
    order = np.random.default_rng(seed + 1).permutation(m)
    output, weights = attention(Q, K, V)
    moved, moved_weights = attention(Q, K[order], V[order])
    assert np.allclose(moved, output, rtol=0, atol=1e-12)
    assert np.allclose(moved_weights, weights[:, order], rtol=0, atol=1e-12)


@given(seeds, sizes, sizes, sizes, sizes)
def test_one_vector_added_to_every_key_changes_nothing(attention, seed, n, m, d_k, d_v):
    Q, K, V = draw(seed, n, m, d_k, d_v)
    shift = np.random.default_rng(seed + 1).standard_normal(d_k) * 10
    assert np.allclose(attention(Q, K + shift, V)[0], attention(Q, K, V)[0], rtol=0, atol=1e-11)


@given(seeds, sizes, sizes, sizes, sizes)
def test_output_is_linear_in_the_values(attention, seed, n, m, d_k, d_v):
    Q, K, V = draw(seed, n, m, d_k, d_v)
    other = np.random.default_rng(seed + 1).standard_normal((m, d_v))
    both = attention(Q, K, 2 * V - other)[0]
    assert np.allclose(both, 2 * attention(Q, K, V)[0] - attention(Q, K, other)[0], rtol=0, atol=1e-12)


@given(seeds, st.integers(2, 12), sizes, sizes, sizes)
def test_queries_do_not_see_each_other(attention, seed, n, m, d_k, d_v):
    Q, K, V = draw(seed, n, m, d_k, d_v)
    changed = Q.copy()
    changed[0] += 1.0
    assert np.allclose(attention(changed, K, V)[0][1:], attention(Q, K, V)[0][1:], rtol=0, atol=1e-12)
