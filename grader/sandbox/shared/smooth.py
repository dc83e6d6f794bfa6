"""Smooth scalar functions of an array, made in the child by name for `numerical_gradient`. No gradient is here.

Each function is written once, as an expression of `x`, the argument as a flat array, and of weights `w`, which differ
for every coordinate, so that mixed-up coordinates show. The child's functions are made from these expressions here;
their gradients and their text in a counterexample are made from them where no student code is.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType, SimpleNamespace
from typing import Any

from numpy import arange, asarray, cos, dot, exp, float64, log1p, ravel, sin

WEIGHTS = "0.5 + np.arange(1, x.size + 1) / (x.size + 1)"

# Each is analytic in `x`, so that complex numbers give its gradient. (The power is one that NumPy multiplies out.)
EXPRESSIONS: Mapping[str, str] = MappingProxyType(
    {
        "sum of sines": "np.sin(w * x).sum()",
        "log of a sum of squares plus one": "np.log1p(np.dot(w, x * x))",
        "weighted exponential": "np.dot(w, np.exp(x / 4))",
        "cosine of a weighted sum": "np.cos(np.dot(w, x))",
        "cubes and neighbours": "np.dot(w, x**3) / 3 + np.dot(x[:-1], x[1:])",
    }
)

# This is `np` in the expressions: a student's file may rebind `numpy.exp`, and the functions stay as they were.
_NUMPY = SimpleNamespace(arange=arange, cos=cos, dot=dot, exp=exp, log1p=log1p, sin=sin)


_TEXT = """
def smooth(x):
    x = ravel(asarray(x, dtype=float64))
    w = {weights}
    return float({expression})
"""


def _make(expression: str) -> Callable[[Any], float]:
    names: dict[str, Any] = {"np": _NUMPY, "asarray": asarray, "float64": float64, "ravel": ravel}
    exec(_TEXT.format(weights=WEIGHTS, expression=expression), names)  # noqa: S102 (a string of this module)
    made: Callable[[Any], float] = names["smooth"]
    return made


SMOOTH: Mapping[str, Callable[[Any], float]] = MappingProxyType(
    {name: _make(expression) for name, expression in EXPRESSIONS.items()}
)
"""Takes an array of any shape, integers or floats; returns a float."""
