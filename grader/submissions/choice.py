"""Which definition counts: one `Definition` for each asked-for name, over all files of a submission.

A stub never competes. In one file the last definition wins. Two different ones in two files are a conflict. What
cannot be read explains a name only where nothing readable has it.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from grader.submissions.definitions import Site, effective, find_sites, identity, imported_modules, names_in_text
from grader.submissions.missing import find_causes
from grader.submissions.names import file_stem, looks_like
from grader.submissions.records import Asked, Definition, FunctionState, Source, locate


class Survey(NamedTuple):
    """What one file has of the asked-for names.

    Attributes
    ----------
    last : mapping
        Name to the definition that wins in this file: the last edited one, else the last stub.
    covered : tuple of Site
        Stubs that stand below an edited definition in the same file, and would win when it is run.
    broken : mapping
        Name to cause, for names that are seen in text that does not parse.
    whole : str
        The cause where the file cannot be read and no name is to be seen in it, or empty.
    """

    source: Source
    last: Mapping[str, Site]
    covered: tuple[Site, ...]
    broken: Mapping[str, str]
    whole: str
    notes: tuple[str, ...]


def survey_files(sources: Sequence[Source], asked: Asked) -> list[Survey]:
    """Find what each file has of the asked-for names."""
    siblings = {file_stem(source.name) for source in sources} | set(asked.stems.values())
    siblings |= {module for source in sources for module in source.modules}
    siblings |= {source.name.split("/")[0] for source in sources if "/" in source.name}
    return [_survey_file(source, asked, siblings) for source in sources]


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
    chosen = {name: _choose(name, surveys, asked) for name in asked.stems}
    missing = [name for name, definition in chosen.items() if definition.state is FunctionState.MISSING]
    causes = find_causes(missing, [survey.source for survey in surveys], asked)
    return chosen | {name: chosen[name]._replace(cause=cause) for name, cause in causes.items()}


def _survey_file(source: Source, asked: Asked, siblings: set[str]) -> Survey:
    found = [
        site
        for piece in source.pieces
        if piece.tree is not None
        for site in find_sites(piece.tree, asked.stems, siblings=siblings, cell=piece.number)
    ]
    sites: dict[str, list[Site]] = {}
    for site in effective(found, asked.stubs):
        sites.setdefault(site.name, []).append(site)
    last = {name: next((s for s in reversed(places) if not s.stub), places[-1]) for name, places in sites.items()}
    broken, notes = _find_broken(source, asked)
    if source.notebook:
        notes += [note for name in last if (note := _note_earlier(source.name, last[name], sites[name]))]
    covered = tuple(s for name, places in sites.items() for s in places[places.index(last[name]) + 1 :])
    whole = f"{source.name} {source.fault}" if source.fault and not broken else ""
    return Survey(source, last, covered, broken, whole, tuple(notes))


def _find_broken(source: Source, asked: Asked) -> tuple[dict[str, str], list[str]]:
    """Find names in what does not parse, with the cause; and a note on each such piece."""
    if source.fault:
        cause = f"{source.name} {source.fault}"
        return dict.fromkeys(_broken_names(source, source.text, asked), cause), [cause]
    broken: dict[str, str] = {}
    notes = []
    for piece in source.pieces:
        if piece.tree is None:
            names = _broken_names(source, piece.text, asked)
            broken |= dict.fromkeys(names, f"{locate(source.name, piece.number)} {piece.fault}")
            what = f"{source.name}: cell {piece.number}" if source.notebook else source.name
            notes.append(f"{what} does not parse ({piece.fault}) and was not run")
    return broken, notes


def _broken_names(source: Source, text: str, asked: Asked) -> list[str]:
    names = names_in_text(text, asked.stems)
    if names or (source.notebook and not source.fault):
        return names
    stem = file_stem(source.name)
    return [name for name, exercise in asked.stems.items() if looks_like(stem, exercise)]


def _note_earlier(file: str, last: Site, places: Sequence[Site]) -> str:
    others = [site for site in places if not site.stub and site.cell != last.cell]
    earlier = next((site for site in others if identity(site) != identity(last)), None)
    if earlier is None:
        return ""
    return (
        f"{file}: `{last.name}` is defined in cell {earlier.cell} and again, differently, in cell {last.cell}; "
        f"the last one, in cell {last.cell}, counts"
    )


def _choose(name: str, surveys: Sequence[Survey], asked: Asked) -> Definition:
    having = [survey for survey in surveys if name in survey.last]
    having.sort(key=lambda survey: file_stem(survey.source.name) != asked.stems[name])
    edited = [survey for survey in having if not survey.last[name].stub]
    if edited:
        if len(edited) > 1:
            edited = list(_without_private_copies(asked.stems[name], edited, asked))
        first = edited[0]
        forms = {identity(survey.last[name]) for survey in edited} if len(edited) > 1 else set()
        if len(forms) > 1:
            return _place(name, FunctionState.CONFLICT, first, _tell_conflict(name, edited))
        return _place(name, FunctionState.DEFINED, first)
    for survey in surveys:
        if name in survey.broken:
            cell, line = _spot(survey.source, name)
            return Definition(name, FunctionState.UNREADABLE, survey.source.name, line, cell, survey.broken[name])
    if having:
        return _place(name, FunctionState.UNTOUCHED, having[0])
    for survey in surveys:
        if survey.whole:
            return Definition(name, FunctionState.UNREADABLE, survey.source.name, cause=survey.whole)
    return Definition(name, FunctionState.MISSING)


def _without_private_copies(stem: str, edited: Sequence[Survey], asked: Asked) -> Sequence[Survey]:
    """Drop what does not compete with the one file that answers the exercise.

    `multi_head.py` may have a `softmax` of its own beside that of `third_key.py`, and a module that `third_key.py`
    imports may hold the function that `third_key.py` wraps.
    """
    homes = [survey for survey in edited if _is_home(survey, stem, asked)]
    if len(homes) != 1:
        return edited
    imported = {name for piece in homes[0].source.pieces if piece.tree for name in imported_modules(piece.tree)}
    others = set(asked.stems.values()) - {stem}
    return [
        survey
        for survey in edited
        if survey is homes[0]
        or not (file_stem(survey.source.name) in imported or any(_is_home(survey, other, asked) for other in others))
    ]


def _is_home(survey: Survey, stem: str, asked: Asked) -> bool:
    """Return whether a file answers an exercise: by its name, or by having most of what the exercise asks for."""
    wanted = [name for name, exercise in asked.stems.items() if exercise == stem]
    found = sum(name in survey.last and not survey.last[name].stub for name in wanted)
    named = not survey.source.notebook and looks_like(file_stem(survey.source.name), stem)
    return named or 2 * found > len(wanted)


def _place(name: str, state: FunctionState, survey: Survey, cause: str = "") -> Definition:
    site = survey.last[name]
    return Definition(name, state, survey.source.name, site.line, site.cell, cause)


def _spot(source: Source, name: str) -> tuple[int | None, int | None]:
    """Return cell and line of the fault that hides a name."""
    broken = [piece for piece in source.pieces if piece.tree is None]
    for piece in broken:
        if piece.number is None or names_in_text(piece.text, [name]):
            return piece.number, _line(piece.fault)
    return None, _line(source.fault)


def _line(fault: str) -> int | None:
    line = re.match(r"line (\d+)", fault)
    return int(line[1]) if line else None


def _tell_conflict(name: str, edited: Sequence[Survey]) -> str:
    first = edited[0]
    form = identity(first.last[name])
    other = next(survey for survey in edited if identity(survey.last[name]) != form)
    places = [locate(survey.source.name, survey.last[name].cell, survey.last[name].line) for survey in (first, other)]
    return f"`{name}` is defined in {places[0]} and differently in {places[1]}; keep one of them"
