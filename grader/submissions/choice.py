"""Which definition counts: one `Definition` for each asked-for name, over all files of a submission.

A stub never competes, nor does an import with what somebody wrote. In one file the last definition wins. Two different
ones in two files are a conflict. What cannot be read explains a name only where nothing readable has it.
"""

from collections.abc import Sequence
from functools import cached_property

from grader.submissions.bindings import imported_modules
from grader.submissions.missing import find_causes
from grader.submissions.names import file_stem, looks_like
from grader.submissions.records import Asked, Definition, FunctionState, locate
from grader.submissions.sites import Standing, identity
from grader.submissions.surveys import Survey


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
    chosen |= {name: chosen[name]._replace(cause=cause) for name, cause in causes.items()}
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
    having = [survey for survey in surveys if name in survey.last]
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
        return _place(name, FunctionState.DEFINED, first)
    for survey in surveys:
        if name in survey.broken:
            cause, cell, line = survey.broken[name]
            return Definition(name, FunctionState.UNREADABLE, survey.source.name, line, cell, cause)
    if having:
        return _place(name, FunctionState.POSSIBLE if best else FunctionState.UNTOUCHED, edited[0])
    for survey in surveys:
        if survey.whole:
            return Definition(name, FunctionState.UNREADABLE, survey.source.name, cause=survey.whole)
    return Definition(name, FunctionState.MISSING)


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
    return Definition(name, FunctionState.POSSIBLE, home.source.name, cause=definition.cause, otherwise=state)


def _place(name: str, state: FunctionState, survey: Survey, cause: str = "") -> Definition:
    site = survey.last[name]
    return Definition(name, state, survey.source.name, site.line, site.cell, cause)


def _tell_conflict(name: str, edited: Sequence[Survey]) -> str:
    first = edited[0]
    form = identity(first.last[name])
    other = next(survey for survey in edited if identity(survey.last[name]) != form)
    places = [locate(survey.source.name, survey.last[name].cell, survey.last[name].line) for survey in (first, other)]
    return f"`{name}` is defined in {places[0]} and differently in {places[1]}; keep one of them"
