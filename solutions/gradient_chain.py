"""Exercise 3: The gradient as a chain (40 points).

A loss depends on the output of attention. `dO` is its gradient with respect to the output, `dA` with respect to the
weights, `dS` with respect to the scaled scores (those that softmax receives) and `dQ` with respect to the queries;
each has the shape of the array that it belongs to. Name the stages that lead from `dO` to `dQ`, write them, put them
together, and compare the result with central differences.

- `CHAIN` (8 points) names the stages in the order in which you meet them on the way from `dO` to `dQ`.
- `grad_queries` (3 points), `grad_scores` (6 points) and `grad_weights` (3 points) are the steps between the four
  arrays, for any input; `softmax_jacobian` (7 points) is the matrix behind one of them.
- `attention_grad_q` (8 points) goes the whole way.
- `numerical_gradient` (5 points) uses no formula of attention, so it can tell you whether the others are right.
"""

import math
from collections.abc import Callable

import numpy as np

from attention import as_float
from third_key import attention, softmax

# The names of the stages from dO back to dQ, as a list of strings. You need four of these names, each of them once:
#   "cross-entropy", "scores matmul", "layer norm", "scale", "ReLU", "values matmul", "log-sum-exp",
#   "softmax Jacobian"
CHAIN = ["values matmul", "softmax Jacobian", "scale", "scores matmul"]


def softmax_jacobian(z: np.ndarray) -> np.ndarray:
    """Return the Jacobian of softmax: the derivative of every weight with respect to every logit.

    Parameters
    ----------
    z : ndarray of shape (k,)
        Logits: the scores that softmax receives.

    Returns
    -------
    ndarray of shape (k, k)
        Entry (i, j) is the derivative of weight i with respect to logit j.

    Notes
    -----
    `diag(s) - s s^T` with `s = softmax(z)`: differentiate `exp(z_i) / sum_j exp(z_j)` by the quotient rule.
    """
    s = softmax(z)
    jacobian: np.ndarray = np.diag(s) - np.outer(s, s)
    return jacobian


def grad_weights(dO: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Return the gradient with respect to the weights.

    Parameters
    ----------
    dO : ndarray of shape (n, d_v)
        Gradient with respect to the output.
    V : ndarray of shape (m, d_v)
        Values.

    Returns
    -------
    ndarray of shape (n, m)

    Notes
    -----
    `output = weights V`, so `dA = dO V^T`.
    """
    dA: np.ndarray = as_float(dO) @ as_float(V).T
    return dA


def grad_scores(weights: np.ndarray, dA: np.ndarray) -> np.ndarray:
    """Return the gradient with respect to the scaled scores.

    Parameters
    ----------
    weights : ndarray of shape (n, m)
        The weights that softmax gives for these scores; each row sums to 1.
    dA : ndarray of shape (n, m)
        Gradient with respect to the weights.

    Returns
    -------
    ndarray of shape (n, m)

    Notes
    -----
    Row by row `(diag(a) - a a^T) da`, written without the matrix: `a * (da - sum(a * da))` (Dao et al. 2022,
    "FlashAttention", appendix B.2).
    """
    weights, dA = as_float(weights), as_float(dA)
    dS: np.ndarray = weights * (dA - np.sum(weights * dA, axis=-1, keepdims=True))
    return dS


def grad_queries(dS: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Return the gradient with respect to the queries, from that with respect to the scaled scores.

    Parameters
    ----------
    dS : ndarray of shape (n, m)
        Gradient with respect to the scaled scores (those that softmax receives).
    K : ndarray of shape (m, d_k)
        Keys.

    Returns
    -------
    ndarray of shape (n, d_k)

    Notes
    -----
    `S = Q K^T / sqrt(d_k)`, so `dQ = dS K / sqrt(d_k)`.
    """
    K = as_float(K)
    dQ: np.ndarray = as_float(dS) @ K / math.sqrt(K.shape[-1])
    return dQ


def attention_grad_q(Q: np.ndarray, K: np.ndarray, V: np.ndarray, dO: np.ndarray) -> np.ndarray:
    """Return the gradient with respect to the queries, from the inputs of attention and the gradient of its output.

    Parameters
    ----------
    Q : ndarray of shape (n, d_k)
        Queries.
    K : ndarray of shape (m, d_k)
        Keys.
    V : ndarray of shape (m, d_v)
        Values.
    dO : ndarray of shape (n, d_v)
        Gradient with respect to the output.

    Returns
    -------
    ndarray of shape (n, d_k)
    """
    _, weights = attention(Q, K, V)
    return grad_queries(grad_scores(weights, grad_weights(dO, V)), K)


def numerical_gradient(f: Callable[[np.ndarray], float], x: np.ndarray, h: float = 1e-5) -> np.ndarray:
    """Return the gradient of a scalar function by central differences, one entry of `x` at a time.

    Parameters
    ----------
    f : callable
        Takes an array of the shape of `x` and returns one number.
    x : ndarray of any shape
        Where to take the gradient; its entries may be integers. Leave the array unchanged.
    h : float
        The step to either side.

    Returns
    -------
    ndarray of float64
        Same shape as `x`.

    Notes
    -----
    `(f(x + h) - f(x - h)) / 2h` errs by `h^2 / 6` times the third derivative, plus rounding of about `eps |f| / h`.
    """
    x = np.asarray(x, dtype=np.float64)
    gradient = np.zeros_like(x)
    for index in np.ndindex(x.shape):
        ahead, behind = x.copy(), x.copy()
        ahead[index] += h
        behind[index] -= h
        # x + h is rounded, so the points are not exactly 2h apart; their distance is taken before f can change them.
        distance = ahead[index] - behind[index]
        gradient[index] = (f(ahead) - f(behind)) / distance
    return gradient


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    queries, keys, values = rng.standard_normal((3, 4)), rng.standard_normal((5, 4)), rng.standard_normal((5, 2))
    output_gradient = rng.standard_normal((3, 2))
    total = softmax_jacobian(queries[0]).sum(axis=-1)
    assert np.allclose(total, 0.0), f"the rows of the Jacobian sum to {total}, expected 0: the weights always sum to 1"
    slope = numerical_gradient(lambda x: float(np.sum(x**3)), queries)
    assert np.allclose(slope, 3 * queries**2), "differences of sum(x^3) do not give 3 x^2"
    differences = numerical_gradient(lambda q: float(np.sum(output_gradient * attention(q, keys, values)[0])), queries)
    formula = attention_grad_q(queries, keys, values, output_gradient)
    gap = np.abs(formula - differences).max()
    close = np.allclose(formula, differences, rtol=0.0, atol=1e-8)
    assert close, f"attention_grad_q and the differences of your own attention are {gap:.1e} apart"
    print(f"gradient_chain: these checks hold; dQ and the differences are {gap:.1e} apart")
