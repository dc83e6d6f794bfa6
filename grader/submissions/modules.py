"""Which module each file becomes, and which file answers to which name in an `import`."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from grader.submissions.bindings import all_statements
from grader.submissions.names import Namer, file_stem, former_names, import_paths, is_library, looks_like
from grader.submissions.records import Asked
from grader.submissions.surveys import Survey

MOST_IMPORTED = 200  # modules for which a renamed file is looked for


class Modules(NamedTuple):
    """File to its module, file to further names of it, and exercise stems that no file answers to."""

    names: Mapping[str, str]
    aliases: Mapping[str, tuple[str, ...]]
    absent: tuple[str, ...]


def name_modules(kept: Sequence[Survey], homes: Mapping[str, str], asked: Asked) -> Modules:
    """Name the modules of a program.

    Parameters
    ----------
    kept : sequence of Survey
        The files that are part of the program.
    homes : mapping of str to str
        Asked-for name to the file whose definition counts.
    asked : Asked
        The names and stems.

    Returns
    -------
    Modules
        Each name belongs to one file.
    """

    def rank(survey: Survey) -> tuple[bool, bool, int]:
        source = survey.source
        return source.notebook, source.name not in homes.values(), source.name.count("/")

    ordered = sorted(kept, key=rank)
    namer = Namer()
    names = {survey.source.name: namer.name_module(survey.source.name) for survey in ordered}
    aliases: dict[str, list[str]] = {file: [] for file in names}
    taken = set(names.values())

    def give(file: str, name: str) -> None:
        if name and name not in taken and not is_library(name):
            taken.add(name)
            aliases[file].append(name)

    for stem in dict.fromkeys(asked.stems.values()):
        if stem not in taken and (file := _answering(stem, kept, homes, asked)):
            give(file, stem)
    for survey in ordered:
        for name in _further_names(survey):
            give(survey.source.name, name)
    for file, name in _renamed(ordered, homes, taken):
        give(file, name)
    absent = tuple(stem for stem in dict.fromkeys(asked.stems.values()) if stem not in taken)
    return Modules(names, {file: tuple(given) for file, given in aliases.items()}, absent)


def _answering(stem: str, kept: Sequence[Survey], homes: Mapping[str, str], asked: Asked) -> str:
    """Find the file with most of the exercise's functions that count, else one whose name looks like the stem."""
    wanted = [name for name, exercise in asked.stems.items() if exercise == stem]
    best, worth = "", (0, False, 0)
    for survey in kept:
        file = survey.source.name
        counting = sum(homes.get(name) == file for name in wanted)
        is_alike = not survey.source.notebook and looks_like(file_stem(file), stem)
        having = sum(name in survey.last for name in wanted)
        if (counting, is_alike, having) > worth:
            best, worth = file, (counting, is_alike, having)
    return best


def _further_names(survey: Survey) -> tuple[str, ...]:
    return survey.source.modules if survey.source.notebook else import_paths(survey.source.name)


def _renamed(surveys: Sequence[Survey], homes: Mapping[str, str], taken: set[str]) -> Iterator[tuple[str, str]]:
    """Find files that a learning platform renamed, by what the others import: `helper` for "doe_1_2_helper.py"."""
    waiting = [
        survey.source.name
        for survey in surveys
        if not survey.source.notebook and survey.source.name not in homes.values()
    ]
    if not waiting:
        return
    once_called: dict[str, list[str]] = defaultdict(list)
    for file in waiting:
        for name in former_names(file_stem(file)):
            once_called[name].append(file)
    modules = dict.fromkeys(module for survey in surveys for module in _imported(survey) if not is_library(module))
    for module in islice(modules, MOST_IMPORTED):
        alike = once_called.get(module.casefold(), [])
        if len(alike) == 1 and module not in taken:
            yield alike[0], module


def _imported(survey: Survey) -> Iterator[str]:
    for piece in survey.source.pieces:
        for node in all_statements(piece.tree) if piece.tree else ():
            match node:
                case ast.Import():
                    yield from (alias.name.split(".")[0] for alias in node.names)
                case ast.ImportFrom(module=str() as module):
                    yield module.split(".")[0]
