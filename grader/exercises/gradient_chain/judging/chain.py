"""The named stages of the chain: their words and their order."""

import re
from collections.abc import Sequence

from grader.calls import Wrapped
from grader.exercises.exercise import Check
from grader.exercises.gradient_chain.asked import CHAIN_WORDS
from grader.judging.dossier import Dossier
from grader.judging.endings import end_call
from grader.judging.reading import name_value
from grader.judging.results import end, result
from grader.report import CheckResult, Outcome

LONGEST_WORD = 80  # characters of a word that is shown
_BETWEEN = re.compile(r"[\s_\u2010-\u2013-]+")  # spaces, underscores, hyphens; a copied text may hold typeset ones


def judge_order(check: Check, dossier: Dossier) -> CheckResult:
    """Judge the stages from dO to dQ. The right list is never printed; the forward order earns half the points."""
    verdict = next(v for v in dossier.feeding(check) if not v.probe.hidden)
    if not verdict.returned:
        return end(check, end_call(verdict, dossier.scene))
    words = verdict.reply.value
    if isinstance(words, Wrapped):  # an array of strings
        words = words.value
    place = dossier.scene.place
    if not isinstance(words, list | tuple) or not all(isinstance(word, str) for word in words):
        message = f"`CHAIN` is {name_value(words)}; a list of strings is expected."
        return result(check, Outcome.FAILED, message, location=place)
    if not words:
        return result(check, Outcome.NOT_ATTEMPTED, "`CHAIN` is empty.", location=place)
    stages = [_plain(word) for word in words]
    right = [_plain(word) for word in dossier.key.answers[verdict.probe.id].words]
    if _same_order(stages, right):
        return result(check, Outcome.PASSED, location=place)
    if _same_order(stages[::-1], right):
        message = (
            "The stages are right, in the order of the forward pass: half the points. "
            "Which of them does a gradient that arrives at the output meet first?"
        )
        return result(check, Outcome.FAILED, message, location=place, score=check.points / 2)
    return result(check, Outcome.FAILED, _describe(words, stages, right), location=place)


def _plain(word: str) -> str:
    return _BETWEEN.sub("", word).casefold()


def _same_order(stages: Sequence[str], right: Sequence[str]) -> bool:
    # Scale and scores matmul are both linear in the scores, so either may come first.
    first, last = len(right) - 2, sorted(right[-2:])
    return list(stages[:first]) == list(right[:first]) and sorted(stages[first:]) == last


def _describe(words: Sequence[str], stages: Sequence[str], right: Sequence[str]) -> str:
    offered = {_plain(word) for word in CHAIN_WORDS}
    unknown = [word for word in words if _plain(word) not in offered]
    if unknown and unknown[0].strip():
        return f"`{_shorten(unknown[0])}` in `CHAIN` is none of the eight words above it in the student file."
    foreign = sum(stage not in right for stage in stages)
    if foreign:
        of_them = f"{foreign} of them {'is' if foreign == 1 else 'are'} not part of attention"
        return f"`CHAIN` names {_count(stages)}; {of_them}."
    if len(set(stages)) != len(stages):
        return "`CHAIN` names a stage twice; each module of the forward pass is met once."
    if len(stages) < len(right):
        return f"`CHAIN` names {_count(stages)}, all part of attention; something between dO and dQ is left out."
    return "`CHAIN` names the right stages in another order. Start at the output: which module produced it?"


def _shorten(word: str) -> str:
    return word if len(word) <= LONGEST_WORD else f"{word[:LONGEST_WORD]}..."


def _count(stages: Sequence[str]) -> str:
    return f"{len(stages)} stage{'' if len(stages) == 1 else 's'}"
