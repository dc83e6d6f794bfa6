"""What tells a mistake in heads by its look, and a slip that may stand beside another one."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from grader.exercises.probe import Array
from grader.judging.dossier import OwnNames, Undo
from grader.judging.recognisers import Clip, is_rounded, recognise_clipping

_MHA = "multi_head_attention"


def _take_first(args: Sequence[Any], items: tuple[Array, ...]) -> tuple[Array, ...] | None:
    """Take the output (n, d_v) out of what came back with it: the weights of one head, of all, or their mean."""
    Q, _, V, _ = args
    return items[:1] if len(items) > 1 and items[0].shape == (len(Q), V.shape[1]) else None


def _clipped_heads(args: Sequence[Any], clip: Clip) -> tuple[Array, ...]:
    *arrays, num_heads = args
    heads = []
    for Q, K, V in zip(*(np.split(array, num_heads, axis=1) for array in arrays), strict=True):
        scores = clip(Q @ K.T / math.sqrt(Q.shape[1]))
        raised = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
        heads.append(raised / np.sum(raised, axis=-1, keepdims=True) @ V)
    return (np.concatenate(heads, axis=1),)


NAMES = OwnNames(
    {_MHA: {"E2-53": is_rounded, "E2-51": recognise_clipping(_clipped_heads)}}, {_MHA: {"E2-25": Undo(_take_first)}}
)
