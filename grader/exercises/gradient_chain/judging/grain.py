"""Recognise a step far too small for differences by the grain of the numbers that it leaves."""

from collections.abc import Sequence

import numpy as np

from grader.exercises.probe import Array

_TINY_STEPS = tuple(10.0**-k for k in range(10, 16))
_GRAIN = 2.0**-58  # of doubles above 1/32
_COUNTABLE, _WHOLE = 2.0**32, 1e-4  # grains that a double tells apart, and how near to whole they must be
_MANY = 8  # numbers, of which each is near to whole by chance once in five thousand times


def has_grain_of_tiny_steps(gradients: Sequence[Array]) -> bool:
    """Whether all numbers are differences of neighbouring doubles, divided by the distance of a far too small step.

    Two doubles not far from 1 differ by a multiple of 2^-58, so such a gradient is a multiple of 2^-58 / (2 h), or of
    2^-58 / h. Which multiple is chance, and differs between processors;
    that all numbers are multiples is not chance.
    """
    parts = [np.ravel(item).astype(np.float64) for item in gradients if item.dtype.kind == "f"]
    numbers = np.concatenate([np.empty(0), *parts])
    numbers = numbers[numbers != 0]
    if numbers.size < _MANY or not np.all(np.isfinite(numbers)):
        return False
    for step in _TINY_STEPS:
        for distance in (2 * step, step):
            grains = numbers * distance / _GRAIN
            if np.max(np.abs(grains)) < _COUNTABLE and np.max(np.abs(grains - np.round(grains))) < _WHOLE:
                return True
    return False
