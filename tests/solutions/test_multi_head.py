"""Several heads: the page's numbers, the round trip of splitting, and the predicted variance."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st


def test_two_heads_on_the_page_give_what_pencil_and_paper_give(multi_head, page):
    # Each head sees raw scores (1, 0, 1) or (0, 1, 1) and divides them by the root of 2.
    share = np.exp(1 / np.sqrt(2))
    right = 2 * share / (2 * share + 1)
    assert right == pytest.approx(0.802224185360, abs=1e-12)
    assert np.allclose(multi_head.multi_head_attention(*page, 2), right, rtol=0, atol=1e-15)


def test_four_heads_on_the_page_are_refused(multi_head, page):
    with pytest.raises(ValueError, match="4 heads cannot share 2 features"):
        multi_head.multi_head_attention(*page, 4)


@pytest.mark.parametrize("num_heads", [0, -1, 4, 7])
def test_a_number_that_does_not_divide_is_refused(multi_head, num_heads):
    with pytest.raises(ValueError, match="cannot share 6 features"):
        multi_head.split_heads(np.ones((2, 6)), num_heads)


@given(st.integers(1, 6), st.integers(0, 8), st.integers(1, 5))
def test_chunks_side_by_side_are_the_input(multi_head, num_heads, n, width):
    X = np.random.default_rng(n).standard_normal((n, num_heads * width))
    heads = multi_head.split_heads(X, num_heads)
    assert heads.shape == (num_heads, n, width)
    assert np.array_equal(np.concatenate(list(heads), axis=-1), X)


@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.integers(1, 6), st.integers(1, 6), st.integers(1, 4))
def test_each_head_is_attention_on_its_own_columns(attention, multi_head, seed, num_heads, n, m, width):
    rng = np.random.default_rng(seed)
    d_k, d_v = num_heads * width, num_heads * (width + 1)
    Q, K, V = rng.standard_normal((n, d_k)), rng.standard_normal((m, d_k)), rng.standard_normal((m, d_v))
    output = multi_head.multi_head_attention(Q, K, V, num_heads)
    for head in range(num_heads):
        k, v = slice(head * width, (head + 1) * width), slice(head * (width + 1), (head + 1) * (width + 1))
        assert np.allclose(output[:, v], attention(Q[:, k], K[:, k], V[:, v])[0], rtol=0, atol=1e-13)


def test_head_scale_is_the_scale_that_multi_head_attention_uses(multi_head, softmax):
    rng = np.random.default_rng(6)
    Q, K, V = rng.standard_normal((8, 15)), rng.standard_normal((11, 15)), rng.standard_normal((11, 21))
    scores = np.einsum("hnd,hmd->hnm", multi_head.split_heads(Q, 3), multi_head.split_heads(K, 3))
    outputs = softmax(scores * multi_head.head_scale(15, 3)) @ multi_head.split_heads(V, 3)
    wanted = outputs.transpose(1, 0, 2).reshape(8, 21)
    assert np.allclose(multi_head.multi_head_attention(Q, K, V, 3), wanted, rtol=0, atol=1e-14)


@pytest.mark.parametrize(("d_k", "num_heads"), [(64, 1), (64, 8), (15, 3), (12, 12)])
def test_predicted_variance_is_what_random_heads_show(multi_head, d_k, num_heads):
    width = d_k // num_heads
    q, k = np.random.default_rng(0).standard_normal((2, 40_000, width))
    raw = np.sum(q * k, axis=-1)
    assert raw.var() == pytest.approx(multi_head.score_variance(d_k, num_heads), rel=0.06)
    assert np.var(raw * multi_head.head_scale(d_k, num_heads)) == pytest.approx(1.0, rel=0.06)


def test_scale_and_variance_are_plain_floats(multi_head):
    assert (multi_head.head_scale(16, 4), multi_head.score_variance(16, 4)) == (0.5, 4.0)
    assert {type(multi_head.head_scale(16, 4)), type(multi_head.score_variance(16, 4))} == {float}


def test_explanation_speaks_of_every_line_of_the_rubric(multi_head):
    for word in ("sum of d_k / h products", "variance", "sqrt(d_k / h)", "equal weights"):
        assert word in multi_head.EXPLANATION
