"""The regions of exercise 3: each stage, the whole chain, differences of any function at any point."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from grader.exercises.gradient_chain.smooth_gradients import GRADIENTS
from grader.exercises.region import (
    Arguments,
    NotAsked,
    Regions,
    Test,
    anywhere,
    counts,
    crossed,
    kinds,
    lead,
    named,
    rows,
    signs,
    tied,
    values,
    widths,
)

if TYPE_CHECKING:
    from grader.exercises.probe import Array

_JACOBIAN, _CHAIN, _DIFFERENCES = ("softmax_jacobian",), ("attention_grad_q",), ("numerical_gradient",)
_WEIGHTS, _SCORES, _QUERIES = ("grad_weights",), ("grad_scores",), ("grad_queries",)

_SIZES = ("as small as 1e-6", "as large as 1e6")

_OF_JACOBIAN: dict[str, Test] = {
    "the largest logit twice": lambda a: a.k > 1 and tied(a.z),
    "one logit ahead by 40": lambda a: a.k > 1 and lead(a.z) > 40,
    "one logit ahead by 800": lambda a: a.k > 1 and lead(a.z) > 800,
    "logits beyond 1e4": lambda a: np.max(np.abs(a.z)) >= 1e4,
    "the largest logit first": lambda a: a.k > 1 and a.z[0] > a.z[1:].max(),
    "the largest logit last": lambda a: a.k > 1 and a.z[-1] > a.z[:-1].max(),
}


def _sides(more: str, less: str) -> dict[str, Test]:
    """Return the tests of two lengths against each other."""
    return {
        f"{more} < {less}": lambda a: getattr(a, more) < getattr(a, less),
        f"{more} = {less}": lambda a: getattr(a, more) == getattr(a, less) > 1,
        f"{more} > {less} > 1": lambda a: getattr(a, more) > getattr(a, less) > 1,
    }


_OF_SCORES: dict[str, Test] = {
    "uniform weights": lambda a: a.m > 1 and np.any(np.ptp(a.weights, axis=1) < 1e-3),
    "a weight above 0.9": lambda a: a.m > 1 and np.any(a.weights > 0.9),
    "weights of exactly 0 and 1": lambda a: a.m > 1 and np.any(a.weights == 1),
    "a weight of exactly 0, none of 1": lambda a: np.any((a.weights.min(1) == 0) & (a.weights.max(1) < 1)),
    "a row of dA with one number": lambda a: a.m > 1 and np.any((np.ptp(a.dA, axis=1) == 0) & (a.dA[:, 0] != 0)),
}


def _raw(a: Arguments) -> Array:
    raw: Array = a.Q.astype(float) @ a.K.T
    return raw


_OF_CHAIN: dict[str, Test] = {
    "n > m > 1": lambda a: a.n > a.m > 1,
    "Q is K": lambda a: a.n > 1 and np.array_equal(a.Q, a.K),
    "Q, K and V are one": lambda a: a.n > 1 and np.array_equal(a.Q, a.K) and np.array_equal(a.K, a.V),
    "the best key twice": lambda a: a.m > 1 and tied(_raw(a)),
    "uniform weights": lambda a: a.m > 1 and np.any(np.ptp(_raw(a), axis=1) == 0),
    # No root of d_k is larger than d_k.
    "a weight above 0.9": lambda a: a.m > 1 and np.any(lead(_raw(a)) > (2 + a.m) * a.d_k),
}


def _smooth(name: str) -> Test:
    return lambda a: a.f.name == name


def _axes(ndim: int) -> Test:
    return lambda a: a.x.ndim == ndim


_OF_DIFFERENCES: dict[str, Test] = {
    **{f"f is the {name}": _smooth(name) for name in GRADIENTS},
    **{f"x with {ndim} axes": _axes(ndim) for ndim in range(4)},
    "one entry": lambda a: a.x.size == 1,
    "two entries": lambda a: a.x.size == 2,
    "an odd number of entries, > 1": lambda a: a.x.size > 1 and a.x.size % 2,
    "an even number of entries": lambda a: a.x.size % 2 == 0,
    "more than 16 entries": lambda a: a.x.size > 16,
    "no h": lambda a: a.h is None,
    "h = 1e-3": lambda a: a.h == 1e-3,
    "h < 1e-3": lambda a: a.h is not None and a.h < 1e-3,
    "h > 1": lambda a: a.h is not None and a.h > 1,
    "x beyond 16, no h": lambda a: a.h is None and np.all(np.abs(a.x) > 16),
    "h given, whole x": lambda a: a.h is not None and a.x.dtype.kind == "i",
    "no h, whole x": lambda a: a.h is None and a.x.dtype.kind == "i",
}

REGIONS = Regions(
    parameters={
        "softmax_jacobian": ("z k",),
        "grad_weights": ("dO n d_v", "V m d_v"),
        "grad_scores": ("weights n m", "dA n m"),
        "grad_queries": ("dS n m", "K m d_k"),
        "attention_grad_q": ("Q n d_k", "K m d_k", "V m d_v", "dO n d_v"),
        "numerical_gradient": ("f", "x", "h"),
    },
    asked=(
        # The Jacobian has k^2 entries, and loops over them are as good as any other way.
        *counts(_JACOBIAN, "k", but=("> 64", "> 64, no multiple of 64", "> 512")),
        *named(_JACOBIAN, _OF_JACOBIAN),
        *values(_JACOBIAN, "z"),
        *signs(_JACOBIAN, "z"),
        *kinds(_JACOBIAN, "z"),
        *counts(_WEIGHTS, "n", "m", but=("> 512",)),
        *widths(_WEIGHTS, "d_v"),
        *named(_WEIGHTS, _sides("n", "m") | _sides("m", "d_v") | _sides("n", "d_v")),
        *values(_WEIGHTS, "dO", "V"),
        *rows(_WEIGHTS, "dO", "V"),
        *kinds(_WEIGHTS, "dO", "V"),
        *counts(_SCORES, "n", "m", but=("> 512",)),
        *named(_SCORES, _OF_SCORES | _sides("n", "m")),
        *rows(_SCORES, "weights", but=("a row of zeros among others",)),
        *kinds(_SCORES, "weights", but=("integers",)),
        *values(_SCORES, "dA"),
        *rows(_SCORES, "dA"),
        *kinds(_SCORES, "dA", but=("integers",)),
        *counts(_QUERIES, "n", "m", but=("> 512",)),
        *widths(_QUERIES, "d_k"),
        *named(_QUERIES, _sides("n", "m") | _sides("m", "d_k") | _sides("n", "d_k")),
        *values(_QUERIES, "dS", "K"),
        *rows(_QUERIES, "dS", "K"),
        *kinds(_QUERIES, "dS", but=("integers",)),
        *kinds(_QUERIES, "K"),
        *counts(_CHAIN, "n", "m", but=("> 512",)),
        *widths(_CHAIN, "d_k", "d_v"),
        *crossed(_CHAIN),
        *named(_CHAIN, _OF_CHAIN),
        *values(_CHAIN, "Q", "K", but=_SIZES),
        *values(_CHAIN, "V", "dO"),
        *signs(_CHAIN, "Q", "K", "V", "dO"),
        *rows(_CHAIN, "Q", "K", "V", "dO"),
        *kinds(_CHAIN, "Q", "K", "V", "dO"),
        *named(_DIFFERENCES, _OF_DIFFERENCES),
        *values(_DIFFERENCES, "x"),
        *signs(_DIFFERENCES, "x"),
        *kinds(_DIFFERENCES, "x", but=("single precision",)),
    ),
    not_asked=(
        *anywhere(
            (*_JACOBIAN, *_WEIGHTS, *_SCORES, *_QUERIES, *_CHAIN, *_DIFFERENCES),
            *("z", "dO", "V", "weights", "dA", "dS", "K", "Q", "x"),
        ),
        NotAsked(
            "queries or keys as small as 1e-6 or as large as 1e6",
            _CHAIN,
            lambda a: any(np.max(np.abs(x)) > 1e5 or 0 < np.max(np.abs(x)) < 1e-5 for x in (a.Q, a.K)),
            "Differences of attention are as good an answer, and their step fits scores of ordinary size.",
        ),
        NotAsked(
            "scores beyond 10",
            _CHAIN,
            lambda a: np.max(np.abs(_raw(a))) > 10 * a.d_k,
            "Softmax saturates there, and every gradient is as good as zero: right and wrong cannot be told apart.",
        ),
        NotAsked(
            "whole numbers as weights",
            _SCORES,
            lambda a: a.weights.dtype.kind != "f",
            "Weights are what softmax returns, which are fractions.",
        ),
        NotAsked(
            "whole numbers as dA or dS",
            (*_SCORES, *_QUERIES),
            lambda a: any(getattr(a, name).dtype.kind != "f" for name in ("dA", "dS") if hasattr(a, name)),
            "They come from the stage before, as fractions. Code that works in place would lose all for its behaviour.",
        ),
        NotAsked(
            "x in single precision",
            _DIFFERENCES,
            lambda a: a.x.dtype == np.float32,
            "A step of 1e-5 is lost in single precision; the handout promises integers, and says so.",
        ),
        NotAsked(
            "a step that is not positive",
            _DIFFERENCES,
            lambda a: a.h is not None and a.h <= 0,
            "Differences have no meaning without a distance.",
        ),
        NotAsked(
            "a function that returns an array",
            _DIFFERENCES,
            lambda a: not hasattr(a.f, "name"),
            "The handout speaks of scalar functions; a Jacobian is another exercise.",
        ),
    ),
)
