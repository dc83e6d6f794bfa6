"""The gradients of the sandbox's smooth functions: the right answers of `numerical_gradient`.

`w_i = 1/2 + (i + 1) / (size + 1)` are the weights of `grader.sandbox.shared.smooth`, where the functions stand.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from grader.exercises.probe import Array


def _weights(x: Array) -> Array:
    weights: Array = 0.5 + np.arange(1, x.size + 1) / (x.size + 1)
    return weights.reshape(x.shape)


def _of_sines(x: Array) -> Array:
    w = _weights(x)
    gradient: Array = w * np.cos(w * x)
    return gradient


def _of_log_of_squares(x: Array) -> Array:
    w = _weights(x)
    gradient: Array = 2 * w * x / (1 + np.sum(w * x * x))
    return gradient


def _of_weighted_exponential(x: Array) -> Array:
    gradient: Array = _weights(x) * np.exp(x / 4) / 4
    return gradient


def _of_cosine_of_sum(x: Array) -> Array:
    w = _weights(x)
    gradient: Array = -w * np.sin(np.sum(w * x))
    return gradient


def _of_neighbours(x: Array) -> Array:
    flat = x.ravel()
    gradient = _weights(flat) * flat**2
    gradient[:-1] += flat[1:]
    gradient[1:] += flat[:-1]
    shaped: Array = gradient.reshape(x.shape)
    return shaped


GRADIENTS: Mapping[str, Callable[[Array], Array]] = MappingProxyType(
    {
        "sum of sines": _of_sines,
        "log of a sum of squares plus one": _of_log_of_squares,
        "weighted exponential": _of_weighted_exponential,
        "cosine of a weighted sum": _of_cosine_of_sum,
        "cubes and neighbours": _of_neighbours,
    }
)

_W = "(0.5 + np.arange(1, x.size + 1) / (x.size + 1))"

SOURCES: Mapping[str, str] = MappingProxyType(
    {
        "sum of sines": f"lambda x: float(np.sin({_W} * x.ravel()).sum())",
        "log of a sum of squares plus one": f"lambda x: float(np.log1p(np.sum({_W} * x.ravel() ** 2)))",
        "weighted exponential": f"lambda x: float(np.sum({_W} * np.exp(x.ravel() / 4)))",
        "cosine of a weighted sum": f"lambda x: float(np.cos(np.sum({_W} * x.ravel())))",
        "cubes and neighbours": (
            f"lambda x: float(np.sum({_W} * x.ravel() ** 3) / 3 + np.sum(x.ravel()[:-1] * x.ravel()[1:]))"
        ),
    }
)
"""The functions themselves as one expression each, for a counterexample that runs alone."""
