"""The gradients of the sandbox's smooth functions, made from their expressions.

The gradients are the right answers of `numerical_gradient`, so this module is never imported where student code is.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from grader.exercises.probe import Array
from grader.sandbox.shared.smooth import EXPRESSIONS, WEIGHTS

# For an analytic f, Im f(x + ih) / h is the derivative up to a term in h^2, and no difference is taken that would lose
# digits (Squire and Trapp, SIAM Review 40, 1998). With this h the term is below the smallest number there is.
_STEP = 1e-200


def _differentiate(expression: str) -> Callable[[Array], Array]:
    text = f"lambda x: (lambda x, w: {expression})(x, {WEIGHTS})"
    of_flat: Callable[[Array], complex] = eval(text, {"np": np})  # noqa: S307 (an expression of the package)

    def gradient(x: Array) -> Array:
        steps = x.ravel() + 1j * _STEP * np.eye(x.size)
        slopes: Array = np.array([of_flat(moved).imag for moved in steps]) / _STEP
        return slopes.reshape(x.shape)

    return gradient


GRADIENTS: Mapping[str, Callable[[Array], Array]] = MappingProxyType(
    {name: _differentiate(expression) for name, expression in EXPRESSIONS.items()}
)
