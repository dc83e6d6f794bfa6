"""Name the mistake: what a wrong function gave, held against what each known mistake gives on the same probes.

A name requires the same answer on every small probe (value, shape, exception type, or NaN at the same places), a
difference from the right answer on at least one, two different argument sets, and that no mistake outside the alias
group fits, too. This is the only place where NaN equals NaN. A right answer never gets a name.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from grader.calls import Ended
from grader.exercises.exercise import Mistake, Severity
from grader.exercises.probe import Array, Tolerance
from grader.judging.arrays import Band
from grader.judging.dossier import OwnNames, Seen, Undo
from grader.judging.likeness import (
    CLOSE,
    EXACT,
    Likeness,
    are_alike,
    find_decimals,
    glance_at,
    is_half_gone,
    is_visible,
)
from grader.judging.verdicts import ProbeVerdict
from grader.key.answer_key import Answer, AnswerKey
from grader.report import CheckResult, MistakeName, Outcome

_MOST = 10_000  # numbers in the answer to a small probe; no known mistake gives more than a few hundred
_COMBINED = "+"


_T = TypeVar("_T")


class _Given(NamedTuple):
    """What one function gave on its small probes: answers and scales by probe id.

    `single`: some result came in single precision, so a remark about precision is not a guess. `places` are the
    returned things that there is something to say about (None: all).
    """

    answers: Mapping[str, Answer]
    scales: Mapping[str, tuple[float, ...]]
    telling: Sequence[str]  # probes on which a difference from the right answer counts
    single: bool = False
    places: tuple[int, ...] | None = None

    def known(self, answer: Answer) -> Answer:
        """Return the part of a known answer that can be compared."""
        return answer if self.places is None else answer._replace(items=_pick(answer.items, self.places))

    def looser_levels(self) -> list[Likeness]:
        """Return how alike a mistake must be that does not give exactly the answer; each takes in the one before."""
        numbers = [answer.items for answer in self.answers.values()]
        close = Likeness(CLOSE, forgiving=any(map(is_half_gone, numbers)))
        decimals = find_decimals(numbers)
        return [close, *([close._replace(decimals=decimals)] if decimals else [])]


def _pick(items: Sequence[_T], places: tuple[int, ...]) -> tuple[_T, ...]:
    return tuple(items[place] for place in places if place < len(items))


def name_mistakes(
    verdicts: Sequence[ProbeVerdict], key: AnswerKey, own: OwnNames, *, partly: bool = False
) -> tuple[Mistake, ...]:
    """Return the mistakes that explain what one function gave on these probes: one, several together, or none.

    Where the probes are only a part of the function's (`partly`), an exception that a mistake shares is too little, and
    so are numbers that are all the same: a wrong answer with different numbers in it has to agree. Two slips explain an
    answer, too, where one of them can be undone. What the exercise recognises by its look is looked at last.
    """
    small = [v for v in verdicts if v.probe.judged and v.probe.naming and v.probe.id in key.answers]
    # A tuple of arrays in place of one array may be that array, row by row, or several results.
    opened = (False, True) if any(v.reading.numbers and not v.fault for v in small) else (False,)
    for several in opened:
        given = _collect(small, key, partly=partly, opened=several)
        if given is not None and (named := _name(given, small, key, own)):
            return named
    return ()


def _name(given: "_Given", small: Sequence[ProbeVerdict], key: AnswerKey, own: OwnNames) -> tuple[Mistake, ...]:
    function = small[0].probe.call.function
    known = key.mistakes.get(function, {})
    if (named := _explain(given, key, known)) is not None:
        return named
    for code, undo in own.undoing.get(function, {}).items():
        if code in known and (named := _explain_without(code, undo, given, small, key)) is not None:
            return named
    seen = [one for verdict in small for one in _see(verdict, given.answers[verdict.probe.id], key)]
    recognised = (code for code, knows in own.recognisers.get(function, {}).items() if code in known and knows(seen))
    return next((_agree_on([code]) for code in recognised), ())


def _explain(given: _Given, key: AnswerKey, known: Mapping[str, Mapping[str, Answer]]) -> tuple[Mistake, ...] | None:
    """Return what explains the answers: nothing where several do that are not alike, None where none does."""
    if (named := _explain_at(Likeness(EXACT), given, key, known)) is not None:
        return named
    found = (_explain_at(level, given, key, known) for level in given.looser_levels())
    return next((named for named in found if named is not None), None)


def _explain_at(
    level: Likeness, given: _Given, key: AnswerKey, known: Mapping[str, Mapping[str, Answer]]
) -> tuple[Mistake, ...] | None:
    first, answer = next(iter(given.answers.items()))
    may_be_alike = glance_at(answer, given.scales[first], level)
    # A single slip is the simpler explanation. Most of the table is pairs, tried only where no single slip fits.
    for combined in (False, True):
        codes = [code for code in known if (_COMBINED in code) is combined]
        codes = [code for code in codes if first in known[code] and may_be_alike(given.known(known[code][first]))]
        if fitting := [code for code in codes if _fits(known[code], given, key, level)]:
            return _agree_on(fitting)
    return None


def _fits(answers: Mapping[str, Answer], given: _Given, key: AnswerKey, level: Likeness) -> bool:
    """Whether a mistake gives the same everywhere, and somewhere something else than what is right."""
    least = Likeness(EXACT) if given.single else level
    return all(
        name in answers and are_alike(answer, given.known(answers[name]), given.scales[name], level)
        for name, answer in given.answers.items()
    ) and any(
        is_visible(given.known(answers[name]), given.known(key.answers[name]), given.scales[name], least)
        for name in given.telling
    )


def _explain_without(
    code: str, undo: Undo, given: _Given, small: Sequence[ProbeVerdict], key: AnswerKey
) -> tuple[Mistake, ...] | None:
    """Explain what is left once a slip is undone: nothing, or another slip. None where it was not made."""
    answers: dict[str, Answer] = {}
    for verdict in small:
        answer = given.answers[verdict.probe.id]
        bare = answer if answer.raises is not None else _undo(undo, answer, verdict)
        if bare is None:
            return None
        answers[verdict.probe.id] = bare
    if undo.places is None and not any(_differ(answers[name].items, given.answers[name].items) for name in answers):
        return None
    # Undoing a slip twice makes it again, so the slip would then explain itself.
    known = key.mistakes[small[0].probe.call.function]
    others = {name: table for name, table in known.items() if code not in name.split(_COMBINED)}
    left = given._replace(answers=answers)
    if undo.places is not None:
        # Where a call was made twice, the results of the second time follow those of the first.
        count = min((len(items) for name in answers if (items := key.answers[name].items)), default=0)
        places = (*undo.places, *(count + place for place in undo.places))
        left = left._replace(places=places, scales={name: _pick(row, places) for name, row in given.scales.items()})
    rest = _explain(left, key, others)
    if rest is not None:
        return (*_agree_on([code]), *rest) if rest else ()
    close = Likeness(CLOSE)
    is_right = all(
        are_alike(answer, left.known(key.answers[name]), left.scales[name], close) for name, answer in answers.items()
    )
    return _agree_on([code]) if is_right else None


def _undo(undo: Undo, answer: Answer, verdict: ProbeVerdict) -> Answer | None:
    bare = [undo.apply(args, items) for args, items in _by_call(verdict, answer.items)]
    if any(part is None for part in bare):
        return None
    return answer._replace(items=tuple(item for part in bare if part is not None for item in part))


def _by_call(verdict: ProbeVerdict, items: tuple[_T, ...]) -> list[tuple[Sequence[Any], tuple[_T, ...]]]:
    """Return the arguments and things of each time that a call was made."""
    call, half = verdict.probe.call, len(items) // 2
    if call.again is None:
        return [(call.args, items)]
    return [(call.args, items[:half]), (call.again, items[half:])]


def _see(verdict: ProbeVerdict, answer: Answer, key: AnswerKey) -> Iterator[Seen]:
    right = key.answers[verdict.probe.id].items
    pairs = zip(_by_call(verdict, answer.items), _by_call(verdict, right), strict=True)
    return (Seen(args, items, wanted) for (args, items), (_, wanted) in pairs)


def _differ(items: Sequence[Array], others: Sequence[Array]) -> bool:
    return len(items) != len(others) or not all(map(np.array_equal, items, others))


def _collect(small: list[ProbeVerdict], key: AnswerKey, *, partly: bool, opened: bool) -> _Given | None:
    """Return what was given on these probes; None where it is too little for a name, or a call was cut off.

    `opened`: a tuple that came for one array is taken for several things.
    """
    # The failing probes with most entries come first: they tell the candidates apart soonest.
    small.sort(key=lambda v: (v.band() is not Band.WRONG, -sum(item.size for item in key.answers[v.probe.id].items)))
    answers: dict[str, Answer] = {}
    for verdict in small:
        answer = _answer_of(verdict, opened=opened)
        if answer is None:
            return None
        answers[verdict.probe.id] = answer
    if not _enough(small):
        return None
    return _Given(
        answers,
        {verdict.probe.id: _scales(verdict.probe.tolerances) for verdict in small},
        [name for name, answer in answers.items() if not partly or _tells(answer)],
        any(item.single for verdict in small for item in verdict.items),
    )


def _scales(tolerances: Sequence[Tolerance]) -> tuple[float, ...]:
    return tuple(tolerance.scale or 0.0 for tolerance in tolerances)


def _tells(answer: Answer) -> bool:
    """Whether there are different finite numbers in an answer."""
    finite = [item[np.isfinite(item)] for item in answer.items if item.size > 1]
    # Compared rather than subtracted: NumPy refuses to subtract truth values.
    return any(numbers.size > 1 and bool(numbers.min() < numbers.max()) for numbers in finite)


def _enough(small: Sequence[ProbeVerdict]) -> bool:
    """Two different argument sets; a function without arguments has only one."""
    return len(small) > 1 or (len(small) == 1 and not small[0].probe.call.args)


def _answer_of(verdict: ProbeVerdict, *, opened: bool) -> Answer | None:
    """Return what the student gave in the key's terms; None where that fits nothing: cut off, or far too much."""
    reply = verdict.reply
    match reply.ended:
        case Ended.RAISED if reply.error is not None and reply.error.absent is None:
            return Answer(raises=reply.error.type)
        case Ended.RETURNED:
            reading = verdict.reading
            numbers = tuple(item.array for item in reading.items if item.array is not None)
            if reading.fault or (opened and reading.numbers is not None):
                numbers = reading.numbers or ()
            if reading.fault and reading.numbers is None:
                return Answer(raises="not numeric")
            if sum(item.size for item in numbers) > _MOST:
                return None
            return Answer(numbers, changed=bool(verdict.modified))
        case _:
            return None


def same_answer(one: Answer, other: Answer, tolerances: Sequence[Tolerance], precision: float = EXACT) -> bool:
    """Whether two answers to one call are the same: exception, shapes, places of NaN and infinity, numbers."""
    return are_alike(one, other, _scales(tolerances), Likeness(precision))


def _agree_on(fitting: Sequence[str]) -> tuple[Mistake, ...]:
    """Return the one explanation among codes that fit; none where they belong to different alias groups."""
    # The catalogue's titles and hints are imported only in a run that gives a name.
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
