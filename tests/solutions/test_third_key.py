"""The third key: the page's numbers, and that an identical key need not win."""

import numpy as np
import pytest


@pytest.fixture
def third(solutions):
    return solutions["third_key"]


def test_third_key_gives_the_numbers_of_the_contract(third):
    output, weights = third.third_key()
    assert np.allclose(weights, [[0.274068619061, 0.274068619061, 0.451862761878]], rtol=0, atol=1e-12)
    assert np.allclose(output, [[0.725931380939, 0.725931380939]], rtol=0, atol=1e-12)


def test_identical_key_is_strictly_largest_with_less_than_half(third):
    _, weights = third.third_key()
    assert third.dominant_key(weights).tolist() == [2]
    assert weights[0, 2] > weights[0, :2].max()
    assert weights[0, 2] < 0.5


def test_without_the_scale_it_would_have_more_than_half(third, page):
    Q, K, _ = page
    assert third.softmax(Q @ K.T)[0, 2] == pytest.approx(0.576117, abs=1e-6)


def test_three_times_the_query_beats_the_query_itself(third, page):
    Q, K, V = page
    longer_K, longer_V = third.add_key(K, V, 3 * Q[0], np.array([0.0, 0.0]))
    _, weights = third.attention(Q, longer_K, longer_V)
    assert third.dominant_key(weights).tolist() == [3]
    assert weights[0, 3] == pytest.approx(0.770, abs=5e-4)
    assert weights[0, 2] == pytest.approx(0.104, abs=5e-4)


def test_add_key_appends_copies(third):
    K, V = np.arange(6.0).reshape(2, 3), np.arange(4.0).reshape(2, 2)
    key, value = np.array([7.0, 8.0, 9.0]), np.array([5.0, 6.0])
    new_K, new_V = third.add_key(K, V, key, value)
    assert new_K.tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [7.0, 8.0, 9.0]]
    assert new_V.tolist() == [[0.0, 1.0], [2.0, 3.0], [5.0, 6.0]]
    new_K[:], new_V[:] = -1.0, -1.0
    assert K.tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    assert (key.tolist(), value.tolist()) == ([7.0, 8.0, 9.0], [5.0, 6.0])


def test_add_key_of_a_fraction_to_whole_numbers_keeps_the_fraction(third):
    K, V = third.add_key(np.array([[1, 2]]), np.array([[3]]), np.array([0.5, 0.25]), np.array([0.75]))
    assert K.tolist() == [[1.0, 2.0], [0.5, 0.25]]
    assert V.tolist() == [[3.0], [0.75]]


def test_dominant_key_finds_a_winner_anywhere(third):
    weights = np.array([[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.1, 0.2, 0.7]])
    winners = third.dominant_key(weights)
    assert winners.tolist() == [0, 1, 2]
    assert np.issubdtype(winners.dtype, np.integer)
