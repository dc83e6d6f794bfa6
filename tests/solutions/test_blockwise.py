"""The blockwise reference: equal to the direct one for every shape and block, in a fraction of the memory."""

import tracemalloc

import numpy as np
import pytest

SHAPES = [(1, 1, 1, 1), (1, 7, 3, 2), (5, 1, 4, 3), (4, 13, 1, 9), (3, 5, 7, 6), (6, 6, 6, 6)]


def limit(Q, K, V):
    """The bound up to which two right float64 answers may differ; no answer key is built beyond it."""
    largest = np.abs(Q @ K.T).max() / np.sqrt(Q.shape[1])
    return max(1e-12, 4 * np.finfo(float).eps * largest) * np.abs(V).max()


def draw_near_ties(rng, n, m, d_k, d_v):
    """Scores near 1e4 that differ by about 1: keys are almost the same."""
    direction = rng.standard_normal(d_k)
    direction /= np.linalg.norm(direction)
    Q = direction * 1e4 * np.sqrt(d_k) * (1 + 1e-3 * rng.random((n, 1)))
    K = direction + 1e-4 * rng.standard_normal((m, d_k)) / np.sqrt(d_k)
    return Q, K, rng.standard_normal((m, d_v))


def test_300_random_shapes_agree_with_the_direct_form(attention, blockwise_attention):
    rng = np.random.default_rng(20)
    drawn = [tuple(rng.integers(1, 40, size=4)) for _ in range(300 - len(SHAPES))]
    for count, (n, m, d_k, d_v) in enumerate(SHAPES + drawn):
        if count % 3 == 2:
            Q, K, V = draw_near_ties(rng, n, m, d_k, d_v)
        else:
            Q, K, V = (rng.standard_normal(shape) for shape in ((n, d_k), (m, d_k), (m, d_v)))
            Q *= (1.0, 30.0)[count % 3]
        wanted = attention(Q, K, V)[0]
        for block_size in (1, int(rng.integers(1, m + 1)), m, m + 5):
            difference = np.abs(blockwise_attention(Q, K, V, block_size) - wanted).max()
            assert difference <= limit(Q, K, V), (n, m, d_k, d_v, block_size)


def test_near_ties_at_ten_thousand_are_not_one_hot(attention):
    Q, K, V = draw_near_ties(np.random.default_rng(0), 8, 11, 5, 3)
    weights = attention(Q, K, V)[1]
    assert np.abs(Q @ K.T / np.sqrt(5)).min() > 9e3
    assert weights.max() < 0.9


def test_more_queries_than_fit_one_round(attention, blockwise_attention):
    rng = np.random.default_rng(4)
    Q, K, V = rng.standard_normal((1300, 3)), rng.standard_normal((10, 3)), rng.standard_normal((10, 2))
    assert np.allclose(blockwise_attention(Q, K, V, 4), attention(Q, K, V)[0], rtol=0, atol=1e-13)


@pytest.mark.parametrize("falling", [True, False])
def test_maxima_that_jump_by_2000_from_block_to_block_stay_finite(attention, blockwise_attention, falling):
    K = np.arange(0.0, 20_000.0, 2000.0)[:: -1 if falling else 1, None]
    V = np.arange(10.0)[:, None]
    Q = np.ones((1, 1))
    assert np.array_equal(blockwise_attention(Q, K, V, 1), attention(Q, K, V)[0])


def test_a_block_of_minus_infinity_counts_for_nothing(blockwise_attention):
    K, V = np.array([[-np.inf], [-np.inf], [1.0], [0.0]]), np.array([[9.0], [9.0], [1.0], [2.0]])
    Q = np.ones((1, 1))
    present = blockwise_attention(Q, K[2:], V[2:], 2)
    assert np.allclose(blockwise_attention(Q, K, V, 2), present, rtol=0, atol=1e-15)
    assert np.allclose(blockwise_attention(Q, K[::-1], V[::-1], 2), present, rtol=0, atol=1e-15)
    assert blockwise_attention(Q, K[:2], V[:2], 1).tolist() == [[0.0]]


def test_the_guard_against_minus_infinity_is_not_taken_for_a_maximum(blockwise_attention):
    # Stored as the running maximum, the guard's 0 would make exp(-1e4 - 0) vanish and the answer zero.
    K, V = np.array([[-np.inf], [-1e4], [-1e4]]), np.array([[9.0], [1.0], [2.0]])
    assert blockwise_attention(np.ones((1, 1)), K, V, 1).tolist() == [[1.5]]


def test_nan_stays_in_its_row(blockwise_attention):
    Q = np.array([[np.nan], [1.0]])
    output = blockwise_attention(Q, np.array([[1.0], [2.0]]), np.array([[1.0], [3.0]]), 1)
    assert np.isnan(output[0]).all()
    assert np.isfinite(output[1]).all()


@pytest.mark.parametrize("block_size", [0, -1, 2.0, np.float64(2.0), 1.5, "2", None])
def test_block_size_must_be_a_whole_number_of_at_least_one(blockwise_attention, block_size):
    with pytest.raises(ValueError, match="whole number of at least 1"):
        blockwise_attention(np.ones((2, 3)), np.ones((4, 3)), np.ones((4, 2)), block_size)


def test_a_numpy_integer_is_a_block_size(blockwise_attention):
    assert blockwise_attention(np.ones((2, 3)), np.ones((4, 3)), np.ones((4, 2)), np.int64(3)).shape == (2, 2)


def test_no_keys_are_refused(blockwise_attention, attention):
    with pytest.raises(ValueError, match="no keys"):
        blockwise_attention(np.ones((2, 3)), np.ones((0, 3)), np.ones((0, 2)), 1)
    with pytest.raises(ValueError, match="zero-size"):
        attention(np.ones((2, 3)), np.ones((0, 3)), np.ones((0, 2)))


def test_no_queries_give_no_rows(blockwise_attention, attention):
    empty = np.ones((0, 3)), np.ones((4, 3)), np.ones((4, 2))
    assert blockwise_attention(*empty, 3).shape == attention(*empty)[0].shape == (0, 2)


def test_memory_stays_far_below_the_score_matrix(blockwise_attention):
    n = 4096
    Q, K, V = (np.random.default_rng(0).standard_normal((n, 16)) for _ in range(3))
    tracemalloc.start()
    try:
        blockwise_attention(Q, K, V, 512)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < n * n * 8 / 16
