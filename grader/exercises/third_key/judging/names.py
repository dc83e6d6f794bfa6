"""Undo slips in the use of the weights. Each may hide another slip that was made before it, in the weights themselves.

An answer of `attention` is the output (n, d_v) and the weights (n, m); what a slip made of them is turned back. Where
the slip leaves a trace in the numbers, it has to be there.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from grader.exercises.probe import Array
from grader.judging.dossier import OwnNames, Undo
from grader.judging.likeness import CLOSE
from grader.judging.recognisers import Clip, is_rounded, recognise_clipping

_Items = tuple[Array, ...]
_Use = Callable[[Array, Array, Array], Array]
_PAIR = 2


def _swap(_args: Sequence[Any], items: _Items) -> _Items | None:
    return items[::-1] if len(items) == _PAIR else None


def _take_output(args: Sequence[Any], items: _Items) -> _Items | None:
    Q, _, V = args
    return items if len(items) == 1 and items[0].shape == (len(Q), V.shape[1]) else None


def _unsqueeze(args: Sequence[Any], items: _Items) -> _Items | None:
    Q, _, V = args
    shapes = (len(Q), V.shape[1]), (len(Q), len(V))
    squeezed = [tuple(length for length in shape if length != 1) for shape in shapes]
    if [item.shape for item in items] != squeezed:
        return None
    return tuple(item.reshape(shape) for item, shape in zip(items, shapes, strict=True))


def _undo_use(use: _Use) -> Undo:
    """Return what replaces an output, made from the weights in this wrong way, by the mean of the values."""

    def apply(args: Sequence[Any], items: _Items) -> _Items | None:
        Q, K, V = args
        if len(items) != _PAIR or items[1].shape != (len(Q), len(K)):
            return None
        weights = items[1].astype(np.float64)
        return (weights @ V, items[1]) if _is_close(items[0], use(weights, K, V)) else None

    return Undo(apply)


def _undo_scores(args: Sequence[Any], items: _Items) -> _Items | None:
    """Replace scores that were returned in place of the weights by the weights that they give."""
    Q, K, V = args
    if len(items) != _PAIR or items[1].shape != (len(Q), len(K)):
        return None
    weights = _softmax(items[1].astype(np.float64))
    return (items[0], weights) if _is_close(items[0], weights @ V) else None


def _softmax(scores: Array, axis: int = -1) -> Array:
    raised = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    weights: Array = raised / np.sum(raised, axis=axis, keepdims=True)
    return weights


def _is_close(output: Array, other: Array) -> bool:
    if output.shape != other.shape:
        return False
    limit = CLOSE * max(1.0, float(np.max(np.abs(other), initial=0.0)))
    # Where exponentials overflow, both are NaN.
    return bool(np.allclose(output, other, rtol=0.0, atol=limit, equal_nan=True))


_UNDOING: Mapping[str, Mapping[str, Undo]] = MappingProxyType(
    {
        "attention": MappingProxyType(
            {
                "E1-60": Undo(_take_output, places=(0,)),
                "E1-27": Undo(_swap),
                "E1-61": Undo(_unsqueeze),
                "E1-20": _undo_use(lambda weights, K, _V: weights @ K),
                "E1-21": _undo_use(lambda weights, _K, V: _softmax(weights @ V)),
                "E1-34": _undo_use(lambda weights, _K, V: weights @ V / len(V)),
                "E1-68": Undo(_undo_scores),
            }
        ),
        "third_key": MappingProxyType({"E1-27": Undo(_swap)}),
        "add_key": MappingProxyType({"E1-70": Undo(_swap)}),
    }
)


def _clipped_softmax(args: Sequence[Any], clip: Clip) -> _Items:
    x, *axis = args
    return (_softmax(clip(x.astype(np.float64)), *axis),)


def _clipped_attention(args: Sequence[Any], clip: Clip) -> _Items:
    Q, K, V = args
    weights = _softmax(clip(Q @ K.T / math.sqrt(Q.shape[1])))
    return weights @ V, weights


NAMES = OwnNames(
    {
        "softmax": {"E1-72": is_rounded, "E1-69": recognise_clipping(_clipped_softmax)},
        "attention": {"E1-72": is_rounded, "E1-69": recognise_clipping(_clipped_attention)},
    },
    _UNDOING,
)
