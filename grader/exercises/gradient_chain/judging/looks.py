"""Observe what gives away a wrong Jacobian or gradient of scores. Softmax ignores a constant added to all scores."""

from collections.abc import Callable

import numpy as np

from grader.exercises.probe import Array

_NEAR = 1e-9


def look_at_zero_rows(name: str) -> Callable[[Array], str]:
    """Return a function that observes rows that do not sum to zero."""

    def look(y: Array) -> str:
        sums = y.sum(axis=-1)
        worst = int(np.argmax(np.abs(sums)))
        if np.all(np.abs(sums) <= _NEAR * max(1.0, float(np.max(np.abs(y))))):
            return ""
        told = f"row {worst} of your {name} sums to {sums.flat[worst]:.4g}"
        return f"{told}; adding a constant to all scores changes nothing"

    return look


def look_at_symmetry(y: Array) -> str:
    """Observe that a matrix is not symmetric."""
    worst = float(np.max(np.abs(y - y.T)))
    return "" if worst <= _NEAR else f"your Jacobian is not symmetric (off by {worst:.3g})"
