"""Which definition counts: one `Definition` for each asked-for name, over all files of a submission.

A stub never competes, nor does an import with what somebody wrote. In one file the last definition wins. Two different
ones in two files are a conflict, unless the name of one file says that it is an old copy. What cannot be read explains
a name only where nothing readable has it.
"""

from collections.abc import Sequence
from functools import cached_property

from grader.submissions.bindings import imported_modules
from grader.submissions.flags import CONFLICT, OLD_COPY, UNREADABLE
from grader.submissions.missing import find_causes
from grader.submissions.names import file_stem, looks_like
from grader.submissions.old_copies import is_old_copy
from grader.submissions.records import Asked, Definition, FunctionState, locate
from grader.submissions.sites import Standing, identity
from grader.submissions.surveys import Survey, flag_unread


def choose(surveys: Sequence[Survey], asked: Asked) -> dict[str, Definition]:
    """Decide for each asked-for name which definition counts.

    Parameters
    ----------
    surveys : sequence of Survey
        The files in their fixed order.
    asked : Asked
        The names.

    Returns
    -------
    dict of str to Definition
        In the order of `asked.stems`.
    """
    homes = _Homes(surveys, asked)
    chosen = {name: _choose(name, surveys, homes, asked) for name in asked.stems}
    missing = [name for name, definition in chosen.items() if definition.state is FunctionState.MISSING]
    causes = find_causes(missing, surveys, asked)
    chosen |= {name: chosen[name]._replace(cause=cause.sentence, flag=cause.flag) for name, cause in causes.items()}
    chosen = {name: _flag_unread(definition, surveys) for name, definition in chosen.items()}
    return {name: _leave_open(definition, surveys, homes, asked) for name, definition in chosen.items()}


class _Homes:
    """Which files answer which exercise: by the name, or by having most of what the exercise asks for."""

    def __init__(self, surveys: Sequence[Survey], asked: Asked) -> None:
        self._surveys, self._asked = surveys, asked

    @cached_property
    def of(self) -> dict[str, set[str]]:
        """Return the files of each exercise. Most work never asks: no two files compete in it."""
        found: dict[str, set[str]] = {}
        for stem in dict.fromkeys(self._asked.stems.values()):
            wanted = [name for name, exercise in self._asked.stems.items() if exercise == stem]
            found[stem] = {survey.source.name for survey in self._surveys if _answers(survey, stem, wanted)}
        return found

    def drop_private_copies(self, stem: str, edited: list[Survey]) -> list[Survey]:
        """Drop what does not compete with the one file that answers the exercise.

        `multi_head.py` may have a `softmax` of its own beside that of `third_key.py`, and a module that `third_key.py`
        imports may hold the function that `third_key.py` wraps.
        """
        own = [survey for survey in edited if survey.source.name in self.of[stem]]
        if len(own) != 1:
            return edited
        imported = {name for piece in own[0].source.pieces if piece.tree for name in imported_modules(piece.tree)}
        elsewhere = {file for other, files in self.of.items() if other != stem for file in files}
        return [
            survey
            for survey in edited
            if survey is own[0] or not (file_stem(survey.source.name) in imported or survey.source.name in elsewhere)
        ]


def _answers(survey: Survey, stem: str, wanted: Sequence[str]) -> bool:
    found = sum(name in survey.last and not survey.last[name].stub for name in wanted)
    named = not survey.source.notebook and looks_like(file_stem(survey.source.name), stem)
    return named or 2 * found > len(wanted)


def _choose(name: str, surveys: Sequence[Survey], homes: _Homes, asked: Asked) -> Definition:
    everywhere = [survey for survey in surveys if name in survey.last]
    having = _leave_out_old(name, everywhere) if len(everywhere) > 1 else everywhere
    having.sort(key=lambda survey: file_stem(survey.source.name) != asked.stems[name])
    best = max((survey.last[name].standing for survey in having), default=Standing.STUB)
    edited = [survey for survey in having if survey.last[name].standing is best]
    if best > Standing.HOLLOW:
        if len(edited) > 1:
            edited = homes.drop_private_copies(asked.stems[name], edited)
        first = edited[0]
        forms = {identity(survey.last[name]) for survey in edited} if len(edited) > 1 else set()
        if len(forms) > 1:
            return _place(name, FunctionState.CONFLICT, first, _tell_conflict(name, edited))
        return _mention_old(_place(name, FunctionState.DEFINED, first), first, everywhere, having)
    for survey in surveys:
        if name in survey.broken:
            cause, cell, line = survey.broken[name]
            return Definition(
                name, FunctionState.UNREADABLE, survey.source.name, line, cell, cause, flag=flag_unread(survey)
            )
    if having:
        return _place(name, FunctionState.POSSIBLE if best else FunctionState.UNTOUCHED, edited[0])
    for survey in surveys:
        if survey.whole:
            place, flag = survey.source.name, flag_unread(survey)
            return Definition(name, FunctionState.UNREADABLE, place, cause=survey.whole, flag=flag)
    return Definition(name, FunctionState.MISSING)


def _leave_out_old(name: str, having: Sequence[Survey]) -> list[Survey]:
    """Leave out old copies, where a file that is none has another answer."""
    names = {survey.source.name for survey in having}
    present = [survey for survey in having if not is_old_copy(survey.source.name, names)]
    answered = [survey for survey in having if survey.last[name].standing > Standing.HOLLOW]
    if len(present) == len(having) or not any(survey is one for survey in answered for one in present):
        return list(having)
    forms = {identity(survey.last[name]) for survey in answered}
    return present if len(forms) > 1 else list(having)


def _mention_old(
    definition: Definition, first: Survey, everywhere: Sequence[Survey], having: Sequence[Survey]
) -> Definition:
    """Return the definition with a flag and its reason, where an old copy has another version of it."""
    if len(everywhere) == len(having):
        return definition
    name = definition.name
    form, kept = identity(first.last[name]), {survey.source.name for survey in having}
    old = [s for s in everywhere if s.source.name not in kept and s.last[name].standing > Standing.HOLLOW]
    other = next((survey for survey in old if identity(survey.last[name]) != form), None)
    if other is None:
        return definition
    cause = f"{definition.file} counts, and not {other.source.name}, whose name says that it is an old copy"
    return definition._replace(cause=cause, flag=OLD_COPY)


def _flag_unread(definition: Definition, surveys: Sequence[Survey]) -> Definition:
    """Return the definition with a flag where a file that cannot be read may hold it, or another version of it."""
    if definition.flag:
        return definition
    match definition.state:
        case FunctionState.UNTOUCHED:
            unread = [survey for survey in surveys if survey.whole or definition.name in survey.broken]
        case FunctionState.DEFINED:
            unread = [survey for survey in surveys if _may_override(survey, definition)]
        case _:
            return definition
    return definition._replace(flag=flag_unread(unread[0]) or UNREADABLE) if unread else definition


def _may_override(survey: Survey, definition: Definition) -> bool:
    """Return whether a file has code for a name that does not parse, and that may be the version that was meant."""
    fault = survey.broken.get(definition.name)
    if fault is None or survey.source.name != definition.file:
        return fault is not None
    return (fault.cell or 0) > (definition.cell or 0)


def _leave_open(definition: Definition, surveys: Sequence[Survey], homes: _Homes, asked: Asked) -> Definition:
    """Return the definition as possible where a file makes names while it runs (`globals()["softmax"] = f`)."""
    name, state = definition.name, definition.state
    if state not in {FunctionState.UNTOUCHED, FunctionState.MISSING, FunctionState.UNREADABLE}:
        return definition
    if any(name in survey.broken for survey in surveys):
        return definition  # it is known where the name would have been
    makers = [survey for survey in surveys if survey.may_make(state)]
    if not makers:
        return definition
    if state is FunctionState.UNTOUCHED:
        return definition._replace(state=FunctionState.POSSIBLE, otherwise=state)
    own = homes.of[asked.stems[name]]
    home = max(makers, key=lambda survey: (name in survey.mentioned, survey.source.name in own))
    possible = definition._replace(state=FunctionState.POSSIBLE, otherwise=state)
    return possible._replace(file=home.source.name, line=None, cell=None)


def _place(name: str, state: FunctionState, survey: Survey, cause: str = "") -> Definition:
    site = survey.last[name]
    flag = CONFLICT if state is FunctionState.CONFLICT else ""
    return Definition(name, state, survey.source.name, site.line, site.cell, cause, flag=flag)


def _tell_conflict(name: str, edited: Sequence[Survey]) -> str:
    first = edited[0]
    form = identity(first.last[name])
    other = next(survey for survey in edited if identity(survey.last[name]) != form)
    places = [locate(survey.source.name, survey.last[name].cell, survey.last[name].line) for survey in (first, other)]
    return f"`{name}` is defined in {places[0]} and differently in {places[1]}; keep one of them"
