"""Name the mistake: what a wrong function gave, held against what each known mistake gives on the same probes.

A name requires the same answer on every small probe (value, shape, exception type, or NaN at the same places), a
difference from the right answer on at least one, two different argument sets, and that no mistake outside the alias
group fits, too. This is the only place where NaN equals NaN. A right answer never gets a name.
"""

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from grader.calls import Ended, Wrapped
from grader.exercises.ladders.model import Array, Limit
from grader.exercises.model import Mistake, Verdict
from grader.judging.arrays import Band
from grader.judging.fingerprints import has_grain_of_tiny_steps
from grader.judging.probes import ProbeVerdict
from grader.key.model import TINY_STEP, Answer, AnswerKey, flatten
from grader.report import CheckResult, MistakeName, Outcome

EXACT = 1e-10  # two float64 ways to compute one formula differ by at most 5e-13 of the scale
SINGLE = 1e-5  # the same where the student computes in single precision
_COMBINED = "+"
_TINY = float(np.finfo(np.float64).tiny)


def name_mistakes(verdicts: Sequence[ProbeVerdict], key: AnswerKey, *, partly: bool = False) -> tuple[Mistake, ...]:
    """Return the mistakes that explain what one function gave on these probes: one, several together, or none.

    Where the probes are only a part of the function's (`partly`), an exception that a mistake shares is too little, and
    so are numbers that are all the same: a wrong answer with different numbers in it has to agree.
    """
    small = [v for v in verdicts if v.probe.judged and v.probe.naming and v.probe.id in key.answers]
    # A failing probe with many entries tells the candidates apart soonest.
    small.sort(key=lambda v: (v.band() is not Band.WRONG, -sum(item.size for item in key.answers[v.probe.id].items)))
    given = {verdict.probe.id: _answer_of(verdict) for verdict in small}
    if not _enough(small) or any(answer is None for answer in given.values()):
        return ()
    limits = {verdict.probe.id: verdict.probe.limits for verdict in small}
    usable = {name: answer for name, answer in given.items() if answer is not None}
    telling = [name for name, answer in usable.items() if not partly or _tells(answer)]
    known = key.mistakes.get(small[0].probe.call.function, {})
    # One slip explains before two do; most of the table are pairs, which are looked at only then.
    single = [code for code in known if _COMBINED not in code]
    pairs = [code for code in known if _COMBINED in code]
    for tolerance in (EXACT, SINGLE) if any(item.single for verdict in small for item in verdict.items) else (EXACT,):
        for codes in (single, pairs):
            fitting = [
                code
                for code in codes
                if _fits(usable, known[code], limits, tolerance) and _differs(known[code], key.answers, telling, limits)
            ]
            if fitting:
                return _agree_on(fitting)
    if TINY_STEP in known and has_grain_of_tiny_steps([item for answer in usable.values() for item in answer.items]):
        return _agree_on([TINY_STEP])
    return ()


def _tells(answer: Answer) -> bool:
    """Whether there are different finite numbers in an answer."""
    finite = [item[np.isfinite(item)] for item in answer.items if item.size > 1]
    return any(numbers.size > 1 and bool(numbers.min() < numbers.max()) for numbers in finite)  # of truth values, too


def _enough(small: Sequence[ProbeVerdict]) -> bool:
    """Two different argument sets; a function without arguments has only one."""
    return len(small) > 1 or (len(small) == 1 and not small[0].probe.call.args)


def _answer_of(verdict: ProbeVerdict) -> Answer | None:
    """Return what the student gave in the key's terms; None where the call was cut off, which fits nothing."""
    reply = verdict.reply
    match reply.ended:
        case Ended.RAISED if reply.error is not None and reply.error.absent is None:
            return Answer(raises=reply.error.type)
        case Ended.RETURNED:
            received = tuple(item.received for item in verdict.items if item.received is not None)
            if received and len(received) == len(verdict.items):
                return Answer(received, changed=bool(verdict.modified))
            try:
                items = flatten(_bare(reply.value))
            except (TypeError, ValueError, OverflowError):
                return Answer(raises="not numeric")
            return Answer(items, changed=bool(verdict.modified))
        case _:
            return None


def _bare(value: object) -> object:
    match value:
        case Wrapped():
            return value.value
        case tuple():
            return tuple(_bare(part) for part in value)
        case _:
            return value


def _fits(
    given: Mapping[str, Answer],
    answers: Mapping[str, Answer],
    limits: Mapping[str, tuple[Limit, ...]],
    tolerance: float,
) -> bool:
    return all(
        name in answers and same_answer(answer, answers[name], limits[name], tolerance)
        for name, answer in given.items()
    )


def _differs(
    answers: Mapping[str, Answer],
    right: Mapping[str, Answer],
    names: Iterable[str],
    limits: Mapping[str, tuple[Limit, ...]],
) -> bool:
    return any(not same_answer(answers[name], right[name], limits[name], EXACT) for name in names)


def same_answer(one: Answer, other: Answer, limits: Sequence[Limit], tolerance: float = EXACT) -> bool:
    """Whether two answers to one call are the same: exception, shapes, places of NaN and infinity, numbers."""
    if (one.raises, one.changed, len(one.items)) != (other.raises, other.changed, len(other.items)):
        return False
    scales = [limit.scale or 0.0 for limit in limits] + [0.0] * len(one.items)
    with np.errstate(all="ignore"):
        return all(
            _same_array(a, b, scale, tolerance) for a, b, scale in zip(one.items, other.items, scales, strict=False)
        )


def _same_array(a: Array, b: Array, scale: float, tolerance: float) -> bool:
    if a.shape != b.shape or "c" in (a.dtype.kind, b.dtype.kind):
        return False
    a, b = a.astype(np.float64, copy=False), b.astype(np.float64, copy=False)
    difference = float(np.abs(a - b).max(initial=0.0))
    if math.isfinite(difference):  # then every entry is: the common case, and the cheap one
        return difference <= tolerance * max(scale, float(np.abs(b).max(initial=0.0)), _TINY)
    finite = np.isfinite(b)
    alike = np.array_equal(np.isfinite(a), finite) and np.array_equal(a[~finite], b[~finite], equal_nan=True)
    if not alike or not finite.any():
        return alike
    size = max(scale, float(np.max(np.abs(b[finite]))), _TINY)
    return float(np.max(np.abs(a[finite] - b[finite]))) <= tolerance * size


def _agree_on(fitting: Sequence[str]) -> tuple[Mistake, ...]:
    """Return the one explanation among codes that fit; none where they belong to different alias groups."""
    # Its texts are imported where a name is given, and in no other run.
    from grader.exercises.mistakes import CATALOGUE as known  # noqa: N811

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
    wrong = [mistake for mistake in mistakes if mistake.verdict is Verdict.WRONG]
    chosen = wrong if costs else [m for m in mistakes if m.verdict is Verdict.NOTE and check.message]
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
