"""The known mistakes of exercise 2 as functions that give the wrong answers. The grader has their titles and hints.

A multi-head attention makes four independent choices: how the features are cut (`SPLITS`), what divides the raw
scores (`DIVISORS`), along which axes of the array (heads, queries, keys) the weights sum to 1 (`AXES`), and how the
heads' outputs become one array (`MERGES`). `COMBINED` holds the mistakes that exchange more than one of them. `E2-30`
keeps its answers from one call to the next: load this file afresh where that matters.
"""

import itertools
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Function = Callable[..., Any]
Split = Callable[[Array, int], Array]
Merge = Callable[[Array], Array]
Divisor = Callable[[int, int, int], float]


def floating(x: Array) -> Array:
    return x if np.issubdtype(x.dtype, np.inexact) else x.astype(np.float64)


def softmax(x: Array, axis: int | tuple[int, ...] = -1, shift: Function = np.max) -> Array:
    raised = np.exp(x - shift(x, axis=axis, keepdims=True))
    return np.asarray(raised / np.sum(raised, axis=axis, keepdims=True))


def split_heads(X: Array, num_heads: int) -> Array:
    return np.stack(np.split(X, num_heads, axis=1))


def put_side_by_side(heads: Array) -> Array:
    return np.concatenate(list(heads), axis=-1)


def root_of_piece(d_k: int, _d_v: int, num_heads: int) -> float:
    return math.sqrt(d_k / num_heads)


def heads_of(
    split: Split = split_heads,
    divisor: Divisor = root_of_piece,
    weigh: Callable[[Array], Array] = softmax,
    merge: Merge = put_side_by_side,
    split_values: Split | None = None,
) -> Function:
    """Return a multi-head attention made of its four choices; V may be cut in a way of its own."""

    def multi_head_attention(Q: Array, K: Array, V: Array, num_heads: int) -> Array:
        Q, K, V = floating(Q), floating(K), floating(V)
        q, k, v = split(Q, num_heads), split(K, num_heads), (split_values or split)(V, num_heads)
        weights = weigh(q @ k.transpose(0, 2, 1) / divisor(Q.shape[1], V.shape[1], num_heads))
        return merge(weights @ v)

    return multi_head_attention


multi_head_attention = heads_of()


def cut_rows(X: Array, num_heads: int) -> Array:
    return np.stack(np.split(X, num_heads, axis=0))


def reshape_directly(X: Array, num_heads: int) -> Array:
    return X.reshape(num_heads, len(X), X.shape[1] // num_heads)


def take_every_hth(X: Array, num_heads: int) -> Array:
    return np.stack([X[:, head::num_heads] for head in range(num_heads)])


def repeat_first(X: Array, num_heads: int) -> Array:
    return np.stack([split_heads(X, num_heads)[0]] * num_heads)


def drop_remainder(X: Array, num_heads: int) -> Array:
    return split_heads(X[:, : X.shape[1] // num_heads * num_heads], num_heads)


def copy_whole(X: Array, num_heads: int) -> Array:
    return np.stack([X] * num_heads)


def split_or_assert(X: Array, num_heads: int) -> Array:
    assert X.shape[1] % num_heads == 0, "the features do not divide"  # the mistake itself: not a ValueError
    return split_heads(X, num_heads)


SPLITS: Mapping[str, Split] = {"E2-06": reshape_directly, "E2-09": take_every_hth}
DIVISORS: Mapping[str, Divisor] = {
    "E2-01": lambda d_k, d_v, num_heads: math.sqrt(d_k),
    "E2-02": lambda d_k, d_v, num_heads: 1.0,
    "E2-03": lambda d_k, d_v, num_heads: math.sqrt(num_heads),
    "E2-04": lambda d_k, d_v, num_heads: d_k / num_heads,
    "E2-21": lambda d_k, d_v, num_heads: math.sqrt(d_v / num_heads),
    "E2-37": lambda d_k, d_v, num_heads: 1.0 / math.sqrt(d_k / num_heads),
    "E2-38": lambda d_k, d_v, num_heads: math.sqrt(d_k * num_heads),
    "E2-39": lambda d_k, d_v, num_heads: math.sqrt(d_k) / num_heads,
}
AXES: Mapping[str, int | tuple[int, ...]] = {"E2-12": 0, "E2-15": (0, 2), "E2-35": 1, "E2-36": (1, 2)}
MERGES: Mapping[str, Merge] = {
    "E2-07": lambda heads: heads.reshape(heads.shape[1], -1),
    "E2-10": lambda heads: np.mean(heads, axis=0),
    "E2-11": lambda heads: np.concatenate(list(heads)),
    "E2-19": lambda heads: put_side_by_side(heads[::-1]),
    "E2-26": lambda heads: heads.transpose(1, 2, 0).reshape(heads.shape[1], -1),
    "E2-48": np.asarray,
    "E2-49": lambda heads: np.sum(heads, axis=0),
    "E2-50": lambda heads: heads[0],
}


def weigh_along(axis: int | tuple[int, ...]) -> Callable[[Array], Array]:
    return lambda scores: softmax(scores, axis)


PIECES: Mapping[str, Mapping[str, Any]] = {
    **{code: {"split": split} for code, split in SPLITS.items()},
    **{code: {"divisor": divisor} for code, divisor in DIVISORS.items()},
    **{code: {"weigh": weigh_along(axis)} for code, axis in AXES.items()},
    **{code: {"merge": merge} for code, merge in MERGES.items()},
}


def attend_within_rows(Q: Array, K: Array, V: Array, num_heads: int) -> Array:
    q, k, v = (X.reshape(len(X), num_heads, X.shape[1] // num_heads) for X in (floating(Q), K, V))
    weights = softmax(q @ k.transpose(0, 2, 1) / math.sqrt(Q.shape[1] / num_heads))
    return np.asarray(weights @ v).reshape(len(Q), -1)


def attend_once(Q: Array, K: Array, V: Array, _num_heads: int) -> Array:
    return np.asarray(softmax(Q @ K.T / math.sqrt(Q.shape[1])) @ V)


def average_weights(Q: Array, K: Array, V: Array, num_heads: int) -> Array:
    q, k = split_heads(Q, num_heads), split_heads(K, num_heads)
    weights = softmax(q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[2]))
    return np.asarray(np.mean(weights, axis=0) @ V)


def two_heads_always(Q: Array, K: Array, V: Array, _num_heads: int) -> Array:
    return np.asarray(multi_head_attention(Q, K, V, 2))


def cut_values_like_keys(Q: Array, K: Array, V: Array, num_heads: int) -> Array:
    width = Q.shape[1] // num_heads
    pieces = [slice(head * width, (head + 1) * width) for head in range(num_heads)]
    weights = [softmax(floating(Q[:, piece] @ K[:, piece].T) / math.sqrt(width)) for piece in pieces]
    return np.concatenate([w @ V[:, piece] for w, piece in zip(weights, pieces, strict=True)], axis=1)


def reshape_by_queries(Q: Array, K: Array, V: Array, num_heads: int) -> Array:
    def split(X: Array, num_heads: int) -> Array:
        return X.reshape(len(Q), num_heads, X.shape[1] // num_heads).transpose(1, 0, 2)

    return np.asarray(heads_of(split)(Q, K, V, num_heads))


def scale_views_in_place(Q: Array, K: Array, V: Array, num_heads: int) -> Array:
    chunks = np.split(Q, num_heads, axis=1)
    for chunk in chunks:
        np.divide(chunk, math.sqrt(chunk.shape[1]), out=chunk)
    keys, values = split_heads(K, num_heads), split_heads(V, num_heads)
    heads = [softmax(q @ k.T) @ v for q, k, v in zip(chunks, keys, values, strict=True)]
    return np.concatenate(heads, axis=1)


def narrowed(Q: Array, K: Array, V: Array, num_heads: int) -> Array:
    return np.asarray(multi_head_attention(*(X.astype(np.float32) for X in (Q, K, V)), num_heads))


def remembered_by_shape(function: Function) -> Function:
    answers: dict[tuple[Any, ...], Any] = {}

    def recall(*args: Any) -> Any:
        shapes = tuple(np.shape(arg) or arg for arg in args)
        if shapes not in answers:
            answers[shapes] = function(*args)
        return answers[shapes]

    return recall


def shifted_by(shift: Function) -> Callable[[Array], Array]:
    return lambda scores: softmax(scores, shift=shift)


MISTAKES: Mapping[str, Mapping[str, Function]] = {
    "head_scale": {
        **{
            code: lambda d_k, num_heads, divisor=DIVISORS[code]: 1.0 / divisor(d_k, 0, num_heads)
            for code in ("E2-01", "E2-02", "E2-03", "E2-04", "E2-37", "E2-38", "E2-39")
        },
        "E2-40": lambda d_k, num_heads: d_k / num_heads,
    },
    "score_variance": {
        "E2-01": lambda d_k, num_heads: float(d_k),
        "E2-03": lambda d_k, num_heads: float(num_heads),
        "E2-38": lambda d_k, num_heads: float(d_k * num_heads),
        "E2-41": lambda d_k, num_heads: math.sqrt(d_k / num_heads),
        "E2-42": lambda d_k, num_heads: num_heads / d_k,
        "E2-43": lambda d_k, num_heads: 1.0,
        "E2-44": lambda d_k, num_heads: (d_k / num_heads) ** 2,
    },
    "split_heads": {
        **SPLITS,
        "E2-05": lambda X, num_heads: X.reshape(len(X), num_heads, X.shape[1] // num_heads),
        "E2-08": cut_rows,
        "E2-13": repeat_first,
        "E2-14": copy_whole,
        "E2-22": drop_remainder,
        "E2-27": lambda X, num_heads: split_heads(X, X.shape[1] // num_heads),
        "E2-28": lambda X, num_heads: X.reshape(len(X), num_heads, X.shape[1] // num_heads).T,
        "E2-29": split_or_assert,
    },
    "multi_head_attention": {
        **{code: heads_of(**pieces) for code, pieces in PIECES.items()},
        "E2-05": attend_within_rows,
        "E2-08": heads_of(cut_rows, lambda d_k, d_v, num_heads: math.sqrt(d_k)),
        "E2-13": heads_of(repeat_first),
        "E2-14": heads_of(split_values=copy_whole),
        "E2-16": attend_once,
        "E2-17": average_weights,
        "E2-18": two_heads_always,
        "E2-20": cut_values_like_keys,
        "E2-22": heads_of(drop_remainder, lambda d_k, d_v, num_heads: math.sqrt(d_k // num_heads)),
        "E2-23": reshape_by_queries,
        "E2-24": lambda Q, K, V, num_heads: multi_head_attention(Q, K, V, num_heads) + Q,
        "E2-25": lambda Q, K, V, num_heads: (multi_head_attention(Q, K, V, num_heads), attend_once(Q, K, K, 1)),
        "E2-29": heads_of(split_or_assert),
        "E2-30": remembered_by_shape(multi_head_attention),
        "E2-31": scale_views_in_place,
        "E2-32": heads_of(split_values=drop_remainder),
        "E2-33": narrowed,
        "E2-34": heads_of(weigh=shifted_by(lambda x, **_: 0.0)),
        "E2-45": heads_of(weigh=shifted_by(np.min)),
        "E2-46": heads_of(weigh=shifted_by(np.mean)),
        "E2-47": heads_of(weigh=shifted_by(lambda x, **_: x[..., :1])),
        "E2-51": heads_of(weigh=lambda scores: softmax(np.clip(scores, -50.0, 50.0))),
    },
}


def combine(*codes: str) -> tuple[str, Function]:
    pieces: dict[str, Any] = {}
    for code in codes:
        pieces |= PIECES[code]
    return "+".join(sorted(codes)), heads_of(**pieces)


# Two mistakes at once, and three: students who reshape on the way in do so on the way out, whatever their scale is.
SCALES = ("E2-01", "E2-02", "E2-03", "E2-04", "E2-21")
CHOICES = (SPLITS, SCALES, ("E2-12", "E2-15", "E2-35"), MERGES)
COMBINED: Mapping[str, Mapping[str, Function]] = {
    "multi_head_attention": dict(
        [
            combine(*codes)
            for one, other in itertools.combinations(CHOICES, 2)
            for codes in itertools.product(one, other)
        ]
        + [combine(*codes) for codes in itertools.product(SCALES, SPLITS, ("E2-07", "E2-26"))]
    )
}
