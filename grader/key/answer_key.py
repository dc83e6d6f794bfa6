"""What an answer key holds, and how the key of a hidden seed joins the public one."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from grader.calls import Call
from grader.exercises.probe import Array, Probe
from grader.key.label import KeyLabel

PUBLIC_SEED = 1706  # arXiv 1706.03762
HIDDEN_PREFIX = "hidden:"


class Answer(NamedTuple):
    """What a call gives: the returned things as plain arrays, or the type of the exception it raises.

    `changed` tells that an argument was modified. Two answers of a call made twice stand one after the other. `words`
    is the answer to a question for a list of words, which has no items.
    """

    items: tuple[Array, ...] = ()
    raises: str | None = None
    changed: bool = False
    words: tuple[str, ...] = ()

    @property
    def form(self) -> tuple[tuple[tuple[int, ...], bool], ...]:
        """Shape of each returned thing, and whether it holds whole numbers."""
        return tuple((item.shape, item.dtype.kind in "biu") for item in self.items)


class AnswerKey(NamedTuple):
    """Probes in the order of their ladders, the right answer of each, and what each known mistake gives.

    `mistakes` maps an asked-for name to codes to answers by probe id.
    """

    seed: int
    digest: str
    probes: tuple[Probe, ...]
    answers: Mapping[str, Answer]
    mistakes: Mapping[str, Mapping[str, Mapping[str, Answer]]] = MappingProxyType({})

    @property
    def label(self) -> KeyLabel:
        """What a report says of the key."""
        return KeyLabel(self.seed, self.digest)

    def calls(self, functions: Sequence[str]) -> tuple[Call, ...]:
        """Return all calls about these asked-for names, in the order of the ladders."""
        return tuple(probe.call for probe in self._about(functions))

    def first_calls(self, functions: Sequence[str]) -> tuple[Call, ...]:
        """Return those calls about these names that are made for every submission."""
        return tuple(probe.call for probe in self._about(functions) if not probe.when_wrong)

    def further_calls(self, functions: Sequence[str], wrong: Collection[str]) -> tuple[Call, ...]:
        """Return those calls about these names that are made only because a function in `wrong` is wrong."""
        return tuple(probe.call for probe in self._about(functions) if any(name in wrong for name in probe.when_wrong))

    def _about(self, functions: Sequence[str]) -> list[Probe]:
        wanted = set(functions)
        return [probe for probe in self.probes if probe.owner in wanted]

    def hide(self) -> "AnswerKey":
        """Return the key with its seeded probes as hidden ones; the fixed ones are public anyway."""
        kept = tuple(probe for probe in self.probes if probe.seeded)
        ids = {probe.id for probe in kept}
        return self._replace(
            probes=tuple(probe.hide(HIDDEN_PREFIX) for probe in kept),
            answers=_prefixed(self.answers, ids),
            mistakes={
                name: {code: _prefixed(answers, ids) for code, answers in table.items()}
                for name, table in self.mistakes.items()
            },
        )

    def join(self, hidden: "AnswerKey") -> "AnswerKey":
        """Return a key that asks the probes of both; the seed is that of the hidden one."""
        digest = hashlib.sha256(f"{self.digest} {hidden.digest}".encode()).hexdigest()
        mistakes = {
            name: {code: {**answers, **hidden.mistakes.get(name, {}).get(code, {})} for code, answers in table.items()}
            for name, table in self.mistakes.items()
        }
        return AnswerKey(hidden.seed, digest, self.probes + hidden.probes, {**self.answers, **hidden.answers}, mistakes)


def _prefixed(answers: Mapping[str, Answer], ids: set[str]) -> dict[str, Answer]:
    return {HIDDEN_PREFIX + name: answer for name, answer in answers.items() if name in ids}


def _holds_text(value: Any) -> bool:
    """Whether nested lists hold a string. In an array NumPy would pad every string to the length of the longest."""
    if isinstance(value, list | tuple):
        return any(map(_holds_text, value))
    return isinstance(value, str | bytes)


def flatten(value: Any) -> tuple[Array, ...]:
    """Return the arrays and numbers in a returned value, in order; tuples are opened, lists are taken as arrays.

    Raises `ValueError` or `TypeError` where something in it is not numeric.
    """
    if isinstance(value, tuple):
        return tuple(item for part in value for item in flatten(part))
    array = None if _holds_text(value) else np.asarray(value)
    if array is None or array.dtype.kind not in "biuf":
        message = f"{type(value).__name__} is not a real number"
        raise TypeError(message)
    return (np.array(array, copy=True),)
