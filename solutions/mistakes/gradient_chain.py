"""The known mistakes of exercise 3 as functions that give the wrong answers. The grader has their titles and hints.

A gradient with respect to the queries goes forward once and then back through three stages. A mistake exchanges one
piece: the weights that are computed again (`FORWARDS`), the step through softmax (`STEPS`), or the factor of the last
product (`FACTORS`). `COMBINED` exchanges two. `E3B-32` keeps its answers from one call to the next: load this file
afresh where that matters.
"""

import itertools
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Function = Callable[..., Any]
Step = Callable[[Array, Array], Array]
Factor = Callable[[Array, Array, Array], float]


def softmax(x: Array, axis: int = -1) -> Array:
    raised = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return np.asarray(raised / np.sum(raised, axis=axis, keepdims=True))


def jacobian_of(assemble: Callable[[Array], Any], weigh: Callable[[Array], Array] = softmax) -> Function:
    return lambda z: assemble(weigh(z))


def right_jacobian(s: Array) -> Array:
    return np.asarray(np.diag(s) - np.outer(s, s))


def signs_equal(s: Array) -> Array:
    jacobian = np.outer(s, s)
    np.fill_diagonal(jacobian, s * (1.0 - s))
    return jacobian


def last_write_wins(s: Array) -> Array:
    gradient = np.zeros_like(s)
    for i, j in np.ndindex(len(s), len(s)):
        gradient[i] = s[i] * (1.0 - s[i]) if i == j else -s[i] * s[j]
    return gradient


def shifted_in_place(z: Array) -> Array:
    z -= np.max(z)
    return right_jacobian(softmax(z))


def shifted_by(shift: Function) -> Function:
    return lambda z: np.exp(z - shift(z)) / np.sum(np.exp(z - shift(z)))


def sigmoid(z: Array) -> Array:
    return np.asarray(1.0 / (1.0 + np.exp(-z)))


def row_mean(weights: Array, dA: Array) -> Array:
    return np.asarray(np.sum(weights * dA, axis=-1, keepdims=True))


def grad_scores(weights: Array, dA: Array) -> Array:
    return np.asarray(weights * (dA - row_mean(weights, dA)))


def overwrite_upstream(weights: Array, dA: Array) -> Array:
    dA -= row_mean(weights, dA)
    dA *= weights
    return dA


def forward(Q: Array, K: Array) -> Array:
    return softmax(Q @ K.T / math.sqrt(Q.shape[1]))


def one_over_root(Q: Array, _K: Array, _V: Array) -> float:
    return 1.0 / math.sqrt(Q.shape[1])


def chain_of(
    weigh: Callable[[Array, Array], Array] = forward, step: Step = grad_scores, factor: Factor = one_over_root
) -> Function:
    """Return a gradient made of its pieces: the weights, the step through softmax, the factor of the last product."""

    def attention_grad_q(Q: Array, K: Array, V: Array, dO: Array) -> Array:
        return np.asarray(step(weigh(Q, K), dO @ V.T) @ K * factor(Q, K, V))

    return attention_grad_q


attention_grad_q = chain_of()

STEPS: Mapping[str, Step] = {
    "E3B-01": lambda weights, dA: dA * weights * (1.0 - weights),
    "E3B-02": lambda weights, dA: weights * dA,
    "E3B-06": lambda weights, dA: weights * (dA - np.sum(weights * dA, axis=0, keepdims=True)),
    "E3B-07": lambda weights, dA: weights * (dA - np.sum(dA, axis=-1, keepdims=True)),
    "E3B-08": lambda weights, dA: weights * (dA - np.mean(dA, axis=-1, keepdims=True)),
    "E3B-09": lambda weights, dA: weights * (dA - np.sum(weights * dA)),
    "E3B-13": lambda weights, dA: weights * (row_mean(weights, dA) - dA),
    "E3B-21": lambda weights, dA: weights * (dA - np.sum(weights * dA, axis=-1)),
    "E3B-28": lambda weights, dA: dA,
    "E3B-29": lambda weights, dA: dA - row_mean(weights, dA),
    "E3B-30": lambda weights, dA: dA @ right_jacobian(weights[0]),
}
FACTORS: Mapping[str, Factor] = {
    "E3B-03": lambda Q, K, V: 1.0,
    "E3B-04": lambda Q, K, V: 1.0 / Q.shape[1],
    "E3B-05": lambda Q, K, V: 1.0 / math.sqrt(V.shape[1]),
    "E3B-15": lambda Q, K, V: 1.0 / math.sqrt(Q.shape[1]) / len(Q),
    "E3B-26": lambda Q, K, V: math.sqrt(Q.shape[1]),
    "E3B-27": lambda Q, K, V: 1.0 / math.sqrt(len(K)),
}
FORWARDS: Mapping[str, Callable[[Array, Array], Array]] = {
    "E3B-20": lambda Q, K: softmax(Q @ K.T),
    "E3B-31": lambda Q, K: softmax(Q @ K.T / math.sqrt(Q.shape[1]), axis=0),
}
PIECES: Mapping[str, Mapping[str, Any]] = {
    **{code: {"weigh": weigh} for code, weigh in FORWARDS.items()},
    **{code: {"step": step} for code, step in STEPS.items()},
    **{code: {"factor": factor} for code, factor in FACTORS.items()},
}


def scores_for_weights(Q: Array, K: Array, V: Array, dO: Array) -> Array:
    scores, dA = Q @ K.T / math.sqrt(Q.shape[1]), dO @ V.T
    return np.asarray(grad_scores(scores, dA) @ K / math.sqrt(Q.shape[1]))


def narrowed(function: Function) -> Function:
    return lambda *args: function(*(arg.astype(np.float32) for arg in args))


def remembered_by_shape(function: Function) -> Function:
    answers: dict[tuple[Any, ...], Any] = {}

    def recall(*args: Any) -> Any:
        shapes = tuple(np.shape(arg) for arg in args)
        if shapes not in answers:
            answers[shapes] = function(*args)
        return answers[shapes]

    return recall


def difference_of(quotient: Callable[..., Any], kind: Any = np.float64, step: float | None = None) -> Function:
    """Return a numerical gradient made of `quotient(f, x, move, h)`; `move` is `h` at one entry, elsewhere zero."""

    def numerical_gradient(f: Function, x: Array, h: float = 1e-5) -> Array:
        x, h = np.asarray(x, dtype=kind), step or h
        gradient = np.zeros(x.shape, dtype=kind)
        for index in np.ndindex(x.shape):
            move = np.zeros(x.shape, dtype=kind)
            move[index] = h
            gradient[index] = quotient(f, x, move, h)
        return gradient

    return numerical_gradient


def central(f: Function, x: Array, move: Array, h: float) -> Any:
    return (f(x + move) - f(x - move)) / (2.0 * h)


def left_shifted(f: Function, x: Array, h: float = 1e-5) -> Array:
    x, gradient = np.asarray(x, dtype=np.float64), np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        before = f(x)
        x[index] += h
        gradient[index] = (f(x) - before) / h
    return gradient


def restored_by_arithmetic(f: Function, x: Array, h: float = 1e-5) -> Array:
    x, gradient = np.asarray(x, dtype=np.float64), np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        x[index] += h
        ahead = f(x)
        x[index] -= 2.0 * h
        gradient[index] = (ahead - f(x)) / (2.0 * h)
        x[index] += h
    return gradient


def moved_in_type_of_input(f: Function, x: Array, h: float = 1e-5) -> Array:
    gradient = np.zeros(x.shape)
    for index in np.ndindex(x.shape):
        ahead, behind = x.copy(), x.copy()
        ahead[index], behind[index] = x[index] + h, x[index] - h
        gradient[index] = (f(ahead) - f(behind)) / (2.0 * h)
    return gradient


def rows_moved(f: Function, x: Array, h: float = 1e-5) -> Array:
    gradient = np.zeros(x.shape)
    for row in range(len(x)):
        move = np.zeros(x.shape)
        move[row] = h
        gradient[row] = central(f, x, move, h)
    return gradient


MISTAKES: Mapping[str, Mapping[str, Function]] = {
    "softmax_jacobian": {
        "E3J-01": jacobian_of(lambda s: np.diag(s * (1.0 - s))),
        "E3J-02": jacobian_of(lambda s: s * (1.0 - s)),
        "E3J-03": jacobian_of(lambda s: np.diag(s) + np.outer(s, s)),
        "E3J-04": jacobian_of(signs_equal),
        "E3J-05": jacobian_of(lambda s: -np.outer(s, s)),
        "E3J-06": lambda z: np.diag(softmax(z)) - np.outer(softmax(z), z),
        "E3J-07": lambda z: right_jacobian(softmax(softmax(z))),
        "E3J-08": jacobian_of(lambda s: -right_jacobian(s)),
        "E3J-09": jacobian_of(last_write_wins),
        "E3J-10": jacobian_of(lambda s: np.diag(s) - s @ s.T),
        "E3J-11": jacobian_of(right_jacobian, lambda z: np.asarray(np.exp(z - np.max(z)))),
        "E3J-12": jacobian_of(lambda s: np.eye(len(s)) - s),
        "E3J-13": jacobian_of(lambda s: s - np.eye(len(s))[np.argmax(s)]),
        "E3J-14": lambda z: np.diag(sigmoid(z) * (1.0 - sigmoid(z))),
        "E3J-15": jacobian_of(right_jacobian, shifted_by(lambda z: 0.0)),
        "E3J-16": jacobian_of(lambda s: right_jacobian(s) / len(s)),
        "E3J-17": jacobian_of(lambda s: np.diag(s) - s * s),
        "E3J-18": shifted_in_place,
        "E3J-19": right_jacobian,
        "E3J-20": lambda z: right_jacobian(softmax(z.astype(np.float32))),
        "E3J-21": jacobian_of(right_jacobian, shifted_by(np.min)),
        "E3J-22": jacobian_of(right_jacobian, shifted_by(np.mean)),
        "E3J-23": jacobian_of(right_jacobian, shifted_by(lambda z: z[0])),
        "E3J-24": lambda z: right_jacobian(softmax(np.clip(z, -50.0, 50.0))),
    },
    "grad_weights": {
        "E3B-17": lambda dO, V: np.ones_like(dO) @ V.T,
        "E3B-22": lambda dO, V: dO @ V,
        "E3B-23": lambda dO, V: V @ dO.T,
    },
    "grad_scores": {
        **STEPS,
        "E3B-15": lambda weights, dA: grad_scores(weights, dA) / len(dA),
        "E3B-24": lambda weights, dA: grad_scores(softmax(weights), dA),
        "E3B-33": overwrite_upstream,
    },
    "grad_queries": {
        **{
            code: lambda dS, K, factor=FACTORS[code]: dS @ K * factor(dS @ K, K, K)
            for code in ("E3B-03", "E3B-04", "E3B-15", "E3B-26", "E3B-27")
        },
        "E3B-25": lambda dS, K: dS.T @ K / math.sqrt(K.shape[1]),
        "E3B-35": lambda dS, K: dS @ K.T / math.sqrt(K.shape[1]),
    },
    "attention_grad_q": {
        **{code: chain_of(**pieces) for code, pieces in PIECES.items()},
        "E3B-14": scores_for_weights,
        "E3B-16": chain_of(step=lambda weights, dA: dA @ (weights * (1.0 - weights))),
        "E3B-17": lambda Q, K, V, dO: attention_grad_q(Q, K, V, np.ones_like(dO)),
        "E3B-19": lambda Q, K, V, dO: grad_scores(forward(Q, K), dO @ V.T) @ Q / math.sqrt(Q.shape[1]),
        "E3B-32": remembered_by_shape(attention_grad_q),
        "E3B-34": narrowed(attention_grad_q),
    },
    "numerical_gradient": {
        "FD-01": difference_of(lambda f, x, move, h: (f(x + move) - f(x)) / h),
        "FD-02": difference_of(central, step=1e-12),
        "FD-03": difference_of(lambda f, x, move, h: (f(x + move) - f(x - move)) / h),
        "FD-04": difference_of(central, np.float32),
        "FD-05": left_shifted,
        "FD-06": difference_of(central, step=0.1),
        "FD-07": moved_in_type_of_input,
        "FD-08": difference_of(lambda f, x, move, h: central(f, x, np.full(x.shape, h), h)),
        "FD-09": difference_of(lambda f, x, move, h: (f(x) - f(x)) / (2.0 * h)),
        "FD-10": difference_of(lambda f, x, move, h: (f(x) - f(x - move)) / h),
        "FD-11": lambda f, x, h=1e-5: difference_of(central)(f, x, h).ravel(),
        "FD-12": rows_moved,
        "FD-13": restored_by_arithmetic,
        "FD-14": difference_of(lambda f, x, move, h: f(x + move) - f(x - move)),
        "FD-15": difference_of(lambda f, x, move, h: (f(x + move) - f(x - move)) / 2.0 * h),
    },
}


def combine(*codes: str) -> tuple[str, Function]:
    pieces: dict[str, Any] = {}
    for code in codes:
        pieces |= PIECES[code]
    return "+".join(sorted(codes)), chain_of(**pieces)


# Two mistakes at once. E3B-28 does not use the weights, so a mistake in them cannot show beside it.
SCALES = ("E3B-03", "E3B-04", "E3B-05")
COMBINED: Mapping[str, Mapping[str, Function]] = {
    "attention_grad_q": dict(
        combine(*codes)
        for one, other in itertools.combinations((FORWARDS, STEPS, SCALES), 2)
        for codes in itertools.product(one, other)
        if codes not in itertools.product(FORWARDS, ("E3B-28",))
    )
}
