"""The gradient chain against derivatives that use none of its formulas: complex steps and long doubles."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

sizes = st.integers(1, 8)
seeds = st.integers(0, 2**32 - 1)


def forward(Q, K, V):
    """Attention in whatever number type Q has; the maximum is taken from the real part only."""
    scores = Q @ K.T / np.sqrt(Q.dtype.type(Q.shape[1]))
    exponentials = np.exp(scores - scores.real.max(axis=1, keepdims=True))
    return exponentials / exponentials.sum(axis=1, keepdims=True) @ V


def step_complex(f, x, h=1e-20):
    """Exact to rounding: no difference is taken."""
    gradient = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        bumped = x.astype(complex)
        bumped[index] += 1j * h
        gradient[index] = f(bumped).imag / h
    return gradient


def draw(seed, n=3, m=5, d_k=7, d_v=6):
    rng = np.random.default_rng(seed)
    return tuple(rng.standard_normal(shape) for shape in ((n, d_k), (m, d_k), (m, d_v), (n, d_v)))


def near(found, wanted, tolerance):
    return np.abs(found - wanted).max() <= tolerance * max(np.abs(wanted).max(), 1e-3)


def test_page_gives_the_numbers_of_the_contract(chain, page):
    dQ = chain.attention_grad_q(*page, np.array([[1.0, -2.0]]))
    assert np.allclose(dQ, [[0.1745911135, 0.2365118151, -0.2365118151, -0.1745911135]], rtol=0, atol=1e-10)


@given(seeds, sizes, sizes, sizes, sizes)
def test_whole_chain_equals_complex_steps(chain, seed, n, m, d_k, d_v):
    Q, K, V, dO = draw(seed, n, m, d_k, d_v)
    wanted = step_complex(lambda q: np.sum(dO * forward(q, K, V)), Q)
    assert near(chain.attention_grad_q(Q, K, V, dO), wanted, 1e-11)


@pytest.mark.parametrize("spread", [1.0, 10.0])
def test_whole_chain_equals_long_double_differences(chain, spread):
    Q, K, V, dO = draw(8)
    Q = Q * spread
    precise_K, precise_V = K.astype(np.longdouble), V.astype(np.longdouble)
    wanted, h = np.zeros(Q.shape), np.longdouble(1e-5)
    for index in np.ndindex(Q.shape):
        ahead, behind = Q.astype(np.longdouble), Q.astype(np.longdouble)
        ahead[index] += h
        behind[index] -= h
        change = np.sum(dO * (forward(ahead, precise_K, precise_V) - forward(behind, precise_K, precise_V)))
        wanted[index] = change / (2 * h)
    assert near(chain.attention_grad_q(Q, K, V, dO), wanted, 1e-7)


def test_each_stage_equals_complex_steps_of_its_own_piece(chain):
    Q, K, V, dO = draw(9)
    rng = np.random.default_rng(10)
    weights = rng.random((3, 5))
    assert near(chain.grad_weights(dO, V), step_complex(lambda a: np.sum(dO * (a @ V)), weights), 1e-13)
    dS = rng.standard_normal((3, 5))
    scores = step_complex(lambda q: np.sum(dS * (q @ K.T / np.sqrt(7))), Q)
    assert near(chain.grad_queries(dS, K), scores, 1e-13)


def test_grad_scores_is_the_jacobian_row_by_row(chain, softmax):
    scores, dA = np.random.default_rng(11).standard_normal((2, 4, 6))
    found = chain.grad_scores(softmax(scores), dA)
    for row in range(4):
        assert np.allclose(found[row], chain.softmax_jacobian(scores[row]) @ dA[row], rtol=0, atol=1e-14)


@given(seeds, sizes)
def test_jacobian_equals_complex_steps(chain, seed, k):
    z = np.random.default_rng(seed).standard_normal(k) * 2
    rows = [step_complex(lambda x, i=i: np.exp(x)[i] / np.exp(x).sum(), z) for i in range(k)]
    assert np.allclose(chain.softmax_jacobian(z), rows, rtol=0, atol=1e-13)


@given(seeds, sizes, st.floats(-1e3, 1e3))
def test_jacobian_is_symmetric_sums_to_zero_and_ignores_a_shift(chain, seed, k, shift):
    z = np.random.default_rng(seed).standard_normal(k)
    jacobian = chain.softmax_jacobian(z)
    assert np.array_equal(jacobian, jacobian.T)
    assert np.abs(jacobian.sum(axis=0)).max() <= 1e-14
    assert np.allclose(chain.softmax_jacobian(z + shift), jacobian, rtol=0, atol=1e-12)


@pytest.mark.parametrize("shape", [(), (4,), (3, 2), (2, 2, 2)])
def test_numerical_gradient_of_a_cubic_for_any_shape(chain, shape):
    x = np.random.default_rng(12).standard_normal(shape)
    found = chain.numerical_gradient(lambda y: float(np.sum(y**3)), x)
    assert found.shape == shape
    assert np.allclose(found, 3 * x**2, rtol=0, atol=1e-8)


def test_numerical_gradient_is_central(chain):
    # The central error of x^3 is h^2 exactly; a forward difference would be off by 3 x h.
    error = chain.numerical_gradient(lambda y: float(y[0] ** 3), np.array([2.0]), 1e-2) - 12.0
    assert error[0] == pytest.approx(1e-4, rel=1e-6)


def test_numerical_gradient_of_integers_steps_by_a_fraction(chain):
    x = np.array([1, -2, 3])
    found = chain.numerical_gradient(lambda y: float(np.sum(np.sin(y))), x)
    assert found.dtype == np.float64
    assert np.allclose(found, np.cos(x), rtol=0, atol=1e-9)
    assert x.tolist() == [1, -2, 3]


def test_numerical_gradient_survives_a_function_that_keeps_or_changes_its_argument(chain):
    def greedy(y):
        value = float(np.sum(y**2))
        y[:] = 0.0
        return value

    x = np.array([1.0, 2.0])
    assert np.allclose(chain.numerical_gradient(greedy, x), [2.0, 4.0], rtol=0, atol=1e-8)
    assert x.tolist() == [1.0, 2.0]


def test_chain_names_the_stages_from_output_to_queries(chain):
    assert chain.CHAIN == ["values matmul", "softmax Jacobian", "scale", "scores matmul"]
