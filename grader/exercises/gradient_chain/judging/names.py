"""Recognise mistakes in differences and in the Jacobian by their look, and undo a slip that may hide another one."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from grader.exercises.gradient_chain.judging.grain import has_grain_of_tiny_steps
from grader.exercises.probe import Array
from grader.judging.dossier import OwnNames, Seen, Undo
from grader.judging.recognisers import Clip, recognise_clipping


def _unflatten(args: Sequence[Any], items: tuple[Array, ...]) -> tuple[Array, ...] | None:
    shape = np.shape(args[1])
    flat = len(items) == 1 and items[0].shape == (int(np.prod(shape)),)
    return (items[0].reshape(shape),) if flat else None


def _has_grain(seen: Sequence[Seen]) -> bool:
    return has_grain_of_tiny_steps([item for one in seen for item in one.items])


def _clipped_jacobian(args: Sequence[Any], clip: Clip) -> tuple[Array, ...]:
    scores = clip(args[0].astype(np.float64))
    raised = np.exp(scores - np.max(scores))
    s = raised / np.sum(raised)
    return (np.diag(s) - np.outer(s, s),)


NAMES = OwnNames(
    {
        "numerical_gradient": {"FD-02": _has_grain},
        "softmax_jacobian": {"E3J-24": recognise_clipping(_clipped_jacobian)},
    },
    {"numerical_gradient": {"FD-11": Undo(_unflatten)}},
)
