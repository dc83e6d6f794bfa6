"""Observe what gives away wrong weights: rows that do not sum to one, and negative weights."""

import numpy as np

from grader.exercises.probe import Array

_NEAR = 1e-9


def look_at_rows(y: Array) -> str:
    """Observe that the rows of the weights do not sum to one."""
    rows, columns = y.sum(axis=-1), y.sum(axis=0)
    worst = int(np.argmax(np.abs(rows - 1)))
    if np.all(np.abs(rows - 1) <= _NEAR):
        return ""
    if y.ndim == 2 and np.all(np.abs(columns - 1) <= _NEAR):  # noqa: PLR2004 (a matrix)
        return f"the columns of your weights sum to 1, the rows do not (row {worst} sums to {rows[worst]:.4g})"
    if abs(y.sum() - 1) <= _NEAR:
        return f"all your weights together sum to 1, not each row (row {worst} sums to {rows[worst]:.4g})"
    if np.all(np.abs(rows - rows.flat[0]) <= _NEAR):
        return f"each row of your weights sums to {rows.flat[0]:.4g}"
    return f"row {worst} of your weights sums to {rows.flat[worst]:.4g}"


def look_at_sign(y: Array) -> str:
    """Observe negative weights."""
    return f"some of your weights are negative (the smallest is {y.min():.4g})" if y.min() < 0 else ""
