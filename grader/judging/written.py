"""Answers in a student's own words, which a person reads."""

from grader.exercises.exercise import Check
from grader.judging.dossier import Dossier
from grader.judging.endings import end_call
from grader.judging.reading import name_value
from grader.judging.results import end, result
from grader.report import CheckResult, Outcome, TextEvidence

LONGEST_TEXT = 20_000  # characters kept for the person who reads them


def judge_written(check: Check, dossier: Dossier) -> CheckResult:
    """Keep the written answer for a person."""
    verdict = next(v for v in dossier.feeding(check) if not v.probe.hidden)
    if not verdict.returned:
        return end(check, end_call(verdict, dossier.scene))
    text = verdict.reply.value
    if not isinstance(text, str):
        message = f"`{check.function}` is {name_value(text)}; a string is expected."
        return result(check, Outcome.FAILED, message, location=dossier.scene.place)
    if not text.strip():
        return result(check, Outcome.NOT_ATTEMPTED, f"`{check.function}` is empty.", location=dossier.scene.place)
    words = len(text.split())
    message = f"{words} word{' waits' if words == 1 else 's wait'} for a person."
    evidence = TextEvidence(text=text[:LONGEST_TEXT])
    return result(check, Outcome.PENDING, message, location=dossier.scene.place, evidence=evidence)
