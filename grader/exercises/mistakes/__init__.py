"""The catalogue of known mistakes, one file an exercise: codes, titles, hints. No right answer and nothing to run.

What each mistake would answer stands in `solutions/mistakes/`, under the same codes.
"""

from collections.abc import Mapping
from types import MappingProxyType

from grader.exercises.mistakes import gradient_chain, multi_head, third_key
from grader.exercises.model import Mistake

MISTAKES: Mapping[str, tuple[Mistake, ...]] = MappingProxyType(
    {
        "third_key": third_key.MISTAKES,
        "multi_head": multi_head.MISTAKES,
        "gradient_chain": gradient_chain.MISTAKES,
    }
)

CATALOGUE: Mapping[str, Mistake] = MappingProxyType(
    {mistake.code: mistake for mistakes in MISTAKES.values() for mistake in mistakes}
)
"""Every known mistake by its code."""
