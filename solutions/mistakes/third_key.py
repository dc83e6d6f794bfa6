"""The known mistakes of exercise 1 as functions that give the wrong answers. The grader has their titles and hints.

Three choices are independent of each other, and each is a piece of its own: what divides the raw scores (`DIVISORS`),
along which axis the weights sum to 1 (`AXES`), and what is subtracted before the exponential (`SHIFTS`). A mistake in
one of them is the right function with that piece exchanged; `COMBINED` exchanges two. `E1-47` and `E1-48` keep
something from one call to the next, which is the mistake: load this file afresh where that matters.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Function = Callable[..., Any]
Divisor = Callable[[Array, Array, Array], float]
Axis = int | None

PAGE_Q = np.array([[1.0, 0.0, 1.0, 0.0]])
PAGE_K = np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0], [1.0, 0.0, 1.0, 0.0]])
PAGE_V = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])


def floating(x: Array) -> Array:
    return x if np.issubdtype(x.dtype, np.inexact) else x.astype(np.float64)


def largest(x: Array, axis: Axis) -> Any:
    return np.max(x, axis=axis, keepdims=True)


def total(x: Array, axis: Axis) -> Any:
    return np.sum(x, axis=axis, keepdims=True)


def root_of_width(Q: Array, _K: Array, _V: Array) -> float:
    return math.sqrt(Q.shape[1])


def softmax_of(
    shift: Callable[[Array, Axis], Any] = largest,
    norm: Callable[[Array, Axis], Any] = total,
    power: Callable[[Array], Array] = np.exp,
    along: Callable[[int], Axis] = int,
) -> Function:
    """Return a softmax made of its pieces: what is subtracted, the divisor, the exponential, the axis really used."""

    def softmax(x: Array, axis: int = -1) -> Array:
        x, used = floating(x), along(axis)
        raised = power(x - shift(x, used))
        return np.asarray(raised / norm(raised, used))

    return softmax


softmax = softmax_of()


def attention_of(divisor: Divisor = root_of_width, weigh: Function = softmax) -> Function:
    """Return an attention made of its pieces: the divisor of the raw scores, and what turns scores into weights."""

    def attention(Q: Array, K: Array, V: Array) -> tuple[Array, Array]:
        weights = weigh(floating(Q @ K.T) / divisor(Q, K, V))
        return weights @ V, weights

    return attention


def weighed_by(weigh: Callable[[Array, Array], Array]) -> Function:
    def attention(Q: Array, K: Array, V: Array) -> tuple[Array, Array]:
        weights = weigh(Q, K)
        return weights @ V, weights

    return attention


def scored_by(score: Callable[[Array, Array], Array]) -> Function:
    return weighed_by(lambda Q, K: softmax(score(Q, K)))


attention = attention_of()

DIVISORS: Mapping[str, Divisor] = {
    "E1-01": lambda Q, K, V: 1.0,
    "E1-02": lambda Q, K, V: float(Q.shape[1]),
    "E1-03": lambda Q, K, V: 1.0 / math.sqrt(Q.shape[1]),
    "E1-04": lambda Q, K, V: math.sqrt(Q.shape[0]),
    "E1-05": lambda Q, K, V: math.sqrt(K.shape[0]),
    "E1-06": lambda Q, K, V: math.sqrt(V.shape[1]),
    "E1-09": lambda Q, K, V: float(Q.shape[1] ** 0.25),
    "E1-32": lambda Q, K, V: math.sqrt(Q.shape[1]) / math.log(2.0),
    "E1-38": lambda Q, K, V: 2.0,
    "E1-40": lambda Q, K, V: float(V.shape[1]),
    "E1-64": lambda Q, K, V: float(K.shape[0]),
}
AXES: Mapping[str, Mapping[str, Any]] = {
    "E1-10": {"along": lambda axis: 0},
    "E1-11": {"along": lambda axis: None},
    "E1-35": {"norm": np.sum},
    "E1-43": {"shift": np.max},
    "E1-44": {"shift": np.max, "norm": np.sum},
}
SHIFTS: Mapping[str, Mapping[str, Any]] = {
    "E1-14": {"shift": lambda x, axis: 0.0},
    "E1-15": {"shift": lambda x, axis: np.max(x)},
    "E1-36": {"shift": lambda x, axis: np.maximum(largest(x, axis), 0.0)},
    "E1-37": {"shift": lambda x, axis: 10.0},
    "E1-65": {"shift": lambda x, axis: np.min(x, axis=axis, keepdims=True)},
    "E1-66": {"shift": lambda x, axis: np.mean(x, axis=axis, keepdims=True)},
    "E1-67": {"shift": lambda x, axis: np.take(x, [0], axis=axis)},
}


def winner_takes_all(x: Array, axis: int = -1) -> Array:
    weights = np.zeros(x.shape)
    np.put_along_axis(weights, np.argmax(x, axis=axis, keepdims=True), 1.0, axis=axis)
    return weights


def softmax_in_place(x: Array, axis: int = -1) -> Array:
    x -= largest(x, axis)
    np.exp(x, out=x)
    x /= total(x, axis)
    return x


def computed_in(kind: type[np.floating[Any]], function: Function) -> Function:
    def narrow(*args: Any) -> Any:
        return function(*(arg.astype(kind) if isinstance(arg, np.ndarray) else arg for arg in args))

    return narrow


def remembered_by_shape(function: Function) -> Function:
    answers: dict[tuple[Any, ...], Any] = {}

    def recall(*args: Any) -> Any:
        shapes = tuple(np.shape(arg) or arg for arg in args)
        if shapes not in answers:
            answers[shapes] = function(*args)
        return answers[shapes]

    return recall


SOFTMAX: dict[str, Function] = {
    **{code: softmax_of(**pieces) for code, pieces in {**AXES, **SHIFTS}.items()},
    "E1-13": lambda x, axis=-1: x / total(x, axis),
    "E1-16": lambda x, axis=-1: np.exp(x - largest(x, axis)) / total(np.exp(x), axis),
    "E1-17": softmax_of(power=lambda x: np.exp(x) + 1e-8),
    "E1-23": lambda x, axis=-1: np.round(softmax(x, axis), 2),
    "E1-24": computed_in(np.float16, softmax),
    "E1-25": lambda x, axis=-1: softmax(x, axis).astype(x.dtype),
    "E1-26": softmax_in_place,
    "E1-29": winner_takes_all,
    "E1-32": softmax_of(power=np.exp2),
    "E1-33": lambda x, axis=-1: softmax(softmax(x, axis), axis),
    "E1-41": softmax_of(along=lambda axis: -1),
    "E1-42": softmax_of(along=lambda axis: 1),
    "E1-47": remembered_by_shape(softmax),
    "E1-62": computed_in(np.float32, softmax),
    "E1-63": softmax_of(norm=lambda raised, axis: total(raised, axis) + 1e-8),
    "E1-69": lambda x, axis=-1: softmax(np.clip(x, -50.0, 50.0), axis),
}


def output_shaped_like_queries(Q: Array, K: Array, V: Array) -> tuple[Array, Array]:
    output = np.zeros(Q.shape)
    output[...], weights = attention(Q, K, V)
    return output, weights


def one_buffer_for_all(Q: Array, K: Array, V: Array, buffers: dict[Any, Array] = {}) -> tuple[Array, Array]:  # noqa: B006 (the mistake itself)
    output, weights = attention(Q, K, V)
    buffer = buffers.setdefault(output.shape, np.empty(output.shape))
    buffer[...] = output
    return buffer, weights


def use_weights(use: Callable[[Array, Array, Array], Any]) -> Function:
    def attention_used(Q: Array, K: Array, V: Array) -> Any:
        return use(attention(Q, K, V)[1], K, V)

    return attention_used


def products_in_place(Q: Array, K: Array) -> Array:
    Q /= math.sqrt(Q.shape[1])
    return np.asarray(Q @ K.T)


def cosine(Q: Array, K: Array) -> Array:
    return np.asarray(Q @ K.T / np.outer(np.linalg.norm(Q, axis=1), np.linalg.norm(K, axis=1)))


def hidden_ahead(Q: Array, K: Array) -> Array:
    return np.where(np.tri(len(Q), len(K), dtype=bool), Q @ K.T / math.sqrt(Q.shape[1]), -np.inf)


def distance(Q: Array, K: Array) -> Array:
    return np.asarray(-np.sum((Q[:, None] - K) ** 2, axis=-1) / (2.0 * math.sqrt(Q.shape[1])))


CARRIED = ("E1-13", "E1-16", "E1-17", "E1-23", "E1-29", "E1-33", "E1-63", "E1-69")
ATTENTION: dict[str, Function] = {
    **{code: attention_of(divisor) for code, divisor in DIVISORS.items()},
    **{code: attention_of(weigh=SOFTMAX[code]) for code in (*AXES, *SHIFTS, *CARRIED)},
    "E1-07": weighed_by(lambda Q, K: softmax(Q @ K.T) / math.sqrt(Q.shape[1])),
    "E1-08": lambda Q, K, V: attention(Q / math.sqrt(Q.shape[1]), K, V),
    "E1-12": attention_of(weigh=lambda scores: scores),
    "E1-18": scored_by(lambda Q, K: K @ Q.T / math.sqrt(Q.shape[1])),
    "E1-19": use_weights(lambda w, K, V: (w.T @ V, w)),
    "E1-20": use_weights(lambda w, K, V: (w @ K, w)),
    "E1-21": use_weights(lambda w, K, V: (softmax(w @ V), w)),
    "E1-22": scored_by(hidden_ahead),
    "E1-24": computed_in(np.float16, attention),
    "E1-25": weighed_by(lambda Q, K: attention(Q, K, K)[1].astype(Q.dtype)),
    "E1-26": scored_by(products_in_place),
    "E1-27": use_weights(lambda w, K, V: (w, w @ V)),
    "E1-30": scored_by(cosine),
    "E1-31": scored_by(distance),
    "E1-34": use_weights(lambda w, K, V: (w @ V / len(V), w)),
    "E1-45": use_weights(lambda w, K, V: ((w @ V).astype(V.dtype), w)),
    "E1-46": output_shaped_like_queries,
    "E1-47": remembered_by_shape(attention),
    "E1-48": one_buffer_for_all,
    "E1-60": use_weights(lambda w, K, V: w @ V),
    "E1-61": use_weights(lambda w, K, V: (np.squeeze(w @ V), np.squeeze(w))),
    "E1-62": computed_in(np.float32, attention),
    "E1-68": lambda Q, K, V: (attention(Q, K, V)[0], floating(Q @ K.T) / math.sqrt(Q.shape[1])),
}


def on_page(code: str) -> Function:
    return lambda: ATTENTION[code](PAGE_Q, PAGE_K, PAGE_V)


def stacked_in_type_of_old(old: Array, new: Array) -> Array:
    longer = np.zeros((len(old) + 1, old.shape[1]), dtype=old.dtype)
    longer[:-1], longer[-1] = old, new
    return longer


def last_replaced(K: Array, V: Array, key: Array, value: Array) -> tuple[Array, Array]:
    return np.vstack([K[:-1], key]), np.vstack([V[:-1], value])


MISTAKES: Mapping[str, Mapping[str, Function]] = {
    "softmax": SOFTMAX,
    "attention": ATTENTION,
    "add_key": {
        "E1-25": lambda K, V, key, value: (stacked_in_type_of_old(K, key), stacked_in_type_of_old(V, value)),
        "E1-28": last_replaced,
        "E1-49": lambda K, V, key, value: (np.vstack([key, K]), np.vstack([value, V])),
        "E1-50": lambda K, V, key, value: (np.append(K, key), np.append(V, value)),
        "E1-51": lambda K, V, key, value: (np.vstack([K, key]), V.copy()),
        "E1-70": lambda K, V, key, value: (np.vstack([V, value]), np.vstack([K, key])),
    },
    "third_key": {
        **{code: on_page(code) for code in ("E1-01", "E1-02", "E1-10", "E1-12", "E1-27")},
        "E1-28": lambda: attention(PAGE_Q, *last_replaced(PAGE_K[:2], PAGE_V[:2], PAGE_Q[0], PAGE_V[2])),
        "E1-49": lambda: attention(PAGE_Q, np.roll(PAGE_K, 1, axis=0), np.roll(PAGE_V, 1, axis=0)),
        "E1-52": lambda: attention(PAGE_Q, PAGE_K[:2], PAGE_V[:2]),
        "E1-71": lambda: attention(PAGE_Q, PAGE_K, np.vstack([PAGE_V[:2], [1.0, 0.0]])),
    },
    "dominant_key": {
        "E1-53": lambda weights: np.argmax(weights, axis=0),
        "E1-54": lambda weights: np.full(len(weights), weights.shape[1] - 1),
        "E1-55": np.argmax,
        "E1-56": lambda weights: np.argmax(weights, axis=1) + 1,
        "E1-57": lambda weights: np.argmin(weights, axis=1),
        "E1-58": lambda weights: np.max(weights, axis=1),
        "E1-59": lambda weights: np.argmax(weights > 1 / 2, axis=1),
    },
}

TOGETHER = ("E1-10", "E1-11", "E1-35", "E1-14", "E1-15")
UNSAFE = [
    ("+".join(sorted(pair)), *pair)
    for pair in (("E1-14", "E1-10"), ("E1-14", "E1-11"), ("E1-14", "E1-35"), ("E1-15", "E1-35"))
]
COMBINED: Mapping[str, Mapping[str, Function]] = {
    "softmax": {code: softmax_of(**{**AXES[axis], **SHIFTS[shift]}) for code, shift, axis in UNSAFE},
    "attention": {
        **{
            "+".join(sorted((scale, code))): attention_of(divisor, SOFTMAX[code])
            for scale, divisor in DIVISORS.items()
            for code in TOGETHER
        },
        **{code: attention_of(weigh=softmax_of(**{**AXES[axis], **SHIFTS[shift]})) for code, shift, axis in UNSAFE},
    },
}
