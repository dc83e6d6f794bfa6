"""Smooth scalar functions of an array, made in the child by name for `numerical_gradient`. No gradient is here.

Each takes an array of any shape, integer or float, and weighs every coordinate differently: with the weights
`w_i = 1/2 + (i + 1) / (size + 1)`, i being the index in C order, so that mixed-up coordinates show.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from numpy import arange, asarray, cos, dot, exp, float64, log1p, ravel, sin


def _flat(x: Any) -> tuple[Any, Any]:
    flat = ravel(asarray(x, dtype=float64))
    return flat, 0.5 + arange(1, flat.size + 1) / (flat.size + 1)


def sum_of_sines(x: Any) -> float:
    """`sum_i sin(w_i x_i)`."""
    flat, w = _flat(x)
    return float(sin(w * flat).sum())


def log_of_squares(x: Any) -> float:
    """`log(1 + sum_i w_i x_i^2)`."""
    flat, w = _flat(x)
    return float(log1p(dot(w, flat * flat)))


def weighted_exponential(x: Any) -> float:
    """`sum_i w_i exp(x_i / 4)`."""
    flat, w = _flat(x)
    return float(dot(w, exp(flat / 4)))


def cosine_of_sum(x: Any) -> float:
    """`cos(sum_i w_i x_i)`."""
    flat, w = _flat(x)
    return float(cos(dot(w, flat)))


def neighbours(x: Any) -> float:
    """`sum_i w_i x_i^3 / 3 + sum_i x_i x_{i+1}`: each coordinate also meets the next one."""
    flat, w = _flat(x)
    return float(dot(w, flat**3) / 3 + dot(flat[:-1], flat[1:]))


SMOOTH: Mapping[str, Callable[[Any], float]] = MappingProxyType(
    {
        "sum of sines": sum_of_sines,
        "log of a sum of squares plus one": log_of_squares,
        "weighted exponential": weighted_exponential,
        "cosine of a weighted sum": cosine_of_sum,
        "cubes and neighbours": neighbours,
    }
)
