"""Name the mistake: what a wrong function gave, held against what each known mistake gives on the same probes.

A name requires the same answer on every small probe (value, shape, exception type, or NaN at the same places), a
difference from the right answer on at least one, two different argument sets, and that no mistake outside the alias
group fits, too. This is the only place where NaN equals NaN. A right answer never gets a name.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from grader.calls import Ended
from grader.exercises.exercise import Mistake, Severity
from grader.exercises.probe import Array, Tolerance
from grader.judging.arrays import Band
from grader.judging.dossier import Recogniser
from grader.judging.verdicts import ProbeVerdict
from grader.key.answer_key import Answer, AnswerKey
from grader.report import CheckResult, MistakeName, Outcome

EXACT = 1e-10  # two float64 ways to compute one formula differ by at most 5e-13 of the scale
SINGLE = 1e-5  # the same where the student computes in single precision
_MOST = 10_000  # numbers in the answer to a small probe; no known mistake gives more than a few hundred
_COMBINED = "+"
_TINY = float(np.finfo(np.float64).tiny)


class _Given(NamedTuple):
    """What one function gave on its small probes: answers and tolerances by probe id."""

    answers: Mapping[str, Answer]
    tolerances: Mapping[str, tuple[Tolerance, ...]]
    telling: Sequence[str]  # probes on which a difference from the right answer counts
    single: bool  # whether anything came in single precision


def name_mistakes(
    verdicts: Sequence[ProbeVerdict], key: AnswerKey, recognisers: Mapping[str, Recogniser], *, partly: bool = False
) -> tuple[Mistake, ...]:
    """Return the mistakes that explain what one function gave on these probes: one, several together, or none.

    Where the probes are only a part of the function's (`partly`), an exception that a mistake shares is too little, and
    so are numbers that are all the same: a wrong answer with different numbers in it has to agree. What `recognisers`
    know is looked at last.
    """
    small = [v for v in verdicts if v.probe.judged and v.probe.naming and v.probe.id in key.answers]
    given = _collect(small, key, partly=partly)
    if given is None:
        return ()
    known = key.mistakes.get(small[0].probe.call.function, {})
    # One slip explains before two do; most of the table are pairs, which are looked at only then.
    single = [code for code in known if _COMBINED not in code]
    pairs = [code for code in known if _COMBINED in code]
    for precision in (EXACT, SINGLE) if given.single else (EXACT,):
        for codes in (single, pairs):
            if fitting := [code for code in codes if _explains(known[code], given, key, precision)]:
                return _agree_on(fitting)
    numbers = [item for answer in given.answers.values() for item in answer.items]
    return next((_agree_on([code]) for code, knows in recognisers.items() if code in known and knows(numbers)), ())


def _collect(small: list[ProbeVerdict], key: AnswerKey, *, partly: bool) -> _Given | None:
    """Return what was given on these probes; None where it is too little for a name, or a call was cut off."""
    # A failing probe with many entries tells the candidates apart soonest.
    small.sort(key=lambda v: (v.band() is not Band.WRONG, -sum(item.size for item in key.answers[v.probe.id].items)))
    answers: dict[str, Answer] = {}
    for verdict in small:
        answer = _answer_of(verdict)
        if answer is None:
            return None
        answers[verdict.probe.id] = answer
    if not _enough(small):
        return None
    return _Given(
        answers,
        {verdict.probe.id: verdict.probe.tolerances for verdict in small},
        [name for name, answer in answers.items() if not partly or _tells(answer)],
        any(item.single for verdict in small for item in verdict.items),
    )


def _explains(answers: Mapping[str, Answer], given: _Given, key: AnswerKey, precision: float) -> bool:
    """Whether a mistake gives the same everywhere, and somewhere something else than what is right."""
    return all(
        name in answers and same_answer(answer, answers[name], given.tolerances[name], precision)
        for name, answer in given.answers.items()
    ) and any(not same_answer(answers[name], key.answers[name], given.tolerances[name]) for name in given.telling)


def _tells(answer: Answer) -> bool:
    """Whether there are different finite numbers in an answer."""
    finite = [item[np.isfinite(item)] for item in answer.items if item.size > 1]
    return any(numbers.size > 1 and bool(numbers.min() < numbers.max()) for numbers in finite)  # of truth values, too


def _enough(small: Sequence[ProbeVerdict]) -> bool:
    """Two different argument sets; a function without arguments has only one."""
    return len(small) > 1 or (len(small) == 1 and not small[0].probe.call.args)


def _answer_of(verdict: ProbeVerdict) -> Answer | None:
    """Return what the student gave in the key's terms; None where that fits nothing: cut off, or far too much."""
    reply = verdict.reply
    match reply.ended:
        case Ended.RAISED if reply.error is not None and reply.error.absent is None:
            return Answer(raises=reply.error.type)
        case Ended.RETURNED:
            reading = verdict.reading
            numbers = reading.numbers if reading.fault else tuple(i.array for i in reading.items if i.array is not None)
            if numbers is None:
                return Answer(raises="not numeric")
            if sum(item.size for item in numbers) > _MOST:
                return None
            return Answer(numbers, changed=bool(verdict.modified))
        case _:
            return None


def same_answer(one: Answer, other: Answer, tolerances: Sequence[Tolerance], precision: float = EXACT) -> bool:
    """Whether two answers to one call are the same: exception, shapes, places of NaN and infinity, numbers."""
    if (one.raises, one.changed, len(one.items)) != (other.raises, other.changed, len(other.items)):
        return False
    scales = [tolerance.scale or 0.0 for tolerance in tolerances] + [0.0] * len(one.items)
    with np.errstate(all="ignore"):
        return all(
            _same_array(a, b, scale, precision) for a, b, scale in zip(one.items, other.items, scales, strict=False)
        )


def _same_array(a: Array, b: Array, scale: float, precision: float) -> bool:
    if a.shape != b.shape or "c" in (a.dtype.kind, b.dtype.kind):
        return False
    a, b = a.astype(np.float64, copy=False), b.astype(np.float64, copy=False)
    difference = float(np.abs(a - b).max(initial=0.0))
    if math.isfinite(difference):  # then every entry is: the common case, and the cheap one
        return difference <= precision * max(scale, float(np.abs(b).max(initial=0.0)), _TINY)
    finite = np.isfinite(b)
    alike = np.array_equal(np.isfinite(a), finite) and np.array_equal(a[~finite], b[~finite], equal_nan=True)
    if not alike or not finite.any():
        return alike
    size = max(scale, float(np.max(np.abs(b[finite]))), _TINY)
    return float(np.max(np.abs(a[finite] - b[finite]))) <= precision * size


def _agree_on(fitting: Sequence[str]) -> tuple[Mistake, ...]:
    """Return the one explanation among codes that fit; none where they belong to different alias groups."""
    # Its texts are imported where a name is given, and in no other run.
    from grader.exercises.catalogue import CATALOGUE as known  # noqa: N811 (a name in this function)

    groups = {_group(code, known) for code in fitting}
    if len(groups) != 1:
        return ()
    return tuple(known[code] for code in sorted(groups.pop()))


def _group(code: str, known: Mapping[str, Mistake]) -> frozenset[str]:
    """Return the codes of an explanation, each replaced by the first of its alias group."""
    parts = code.split(_COMBINED)
    return frozenset(min({part, *(known[part].aliases if part in known else ())}) for part in parts)


def explain(check: CheckResult, mistakes: Sequence[Mistake]) -> CheckResult:
    """Return the check's result with the name of the mistake and its hints, where it lost points or has a note."""
    costs = check.outcome in (Outcome.FAILED, Outcome.ERROR) and check.score < check.max_score
    wrong = [mistake for mistake in mistakes if mistake.severity is Severity.WRONG]
    chosen = wrong if costs else [m for m in mistakes if m.severity is Severity.NOTE and check.message]
    if not chosen or check.outcome not in (Outcome.FAILED, Outcome.ERROR, Outcome.PASSED):
        return check
    first, *further = (MistakeName(code=mistake.code, title=mistake.title) for mistake in chosen)
    hints = (
        check.message,
        " ".join(mistake.experiment for mistake in chosen),
        " ".join(mistake.idea for mistake in chosen),
    )
    return check.model_copy(update={"mistake": first, "further_mistakes": tuple(further), "hints": hints})


def is_wrong(verdicts: Sequence[ProbeVerdict]) -> bool:
    """Whether anything about the function is not right: only then is a name looked for."""
    for verdict in verdicts:
        if not verdict.probe.judged:
            continue
        if verdict.probe.raises is not None:
            error = verdict.reply.error
            if error is None or verdict.probe.raises not in (error.type, *error.bases):
                return True
        elif verdict.band() is not Band.RIGHT or verdict.modified or verdict.form:
            return True
    return False
