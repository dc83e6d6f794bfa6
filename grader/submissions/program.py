"""Assembling the `Program`: which files become modules, what they are called, which run, which only wait."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from grader.calls import Program, Unit
from grader.submissions.cells import make_cells
from grader.submissions.modules import Modules, name_modules
from grader.submissions.names import address, file_stem, is_library, is_package
from grader.submissions.records import Asked, Definition, FunctionState
from grader.submissions.surveys import Survey

_CALLED = (FunctionState.DEFINED, FunctionState.POSSIBLE)


class Assembly(NamedTuple):
    """A program, and notes on files that are no part of it."""

    program: Program
    notes: tuple[str, ...]


def assemble(surveys: Sequence[Survey], definitions: Mapping[str, Definition], asked: Asked) -> Assembly:
    """Make the program of a submission.

    Parameters
    ----------
    surveys : sequence of Survey
        The files.
    definitions : mapping of str to Definition
        From `choice.choose`.
    asked : Asked
        The names and stems.

    Returns
    -------
    Assembly
        The program; `run` follows the order of the exercises.
    """
    homes = {name: d.file for name, d in definitions.items() if d.state in _CALLED and d.file}
    # What is only possible gives its file no further name: another exercise may not be here at all.
    sure = {name: d.file for name, d in definitions.items() if d.state is FunctionState.DEFINED and d.file}
    notes = [note for survey in surveys if (note := _explain_left_out(survey, homes))]
    kept = [survey for survey in surveys if _is_kept(survey, homes)]
    modules = name_modules(kept, sure, asked)
    units = []
    for survey in kept:
        source = survey.source
        module, aliases = modules.names[source.name], modules.aliases[source.name]
        own = {name for name, file in homes.items() if file == source.name}
        cells = make_cells(survey, own, {module, *aliases, *asked.stems.values()})
        package = not source.notebook and is_package(source.name)
        units.append(Unit(module, source.name, cells, aliases, source.notebook, address(source.name), package))
    program = Program(
        units=tuple(units),
        run=tuple(dict.fromkeys(modules.names[file] for file in (*homes.values(), *_makers(kept, definitions)))),
        homes={name: modules.names[file] for name, file in homes.items()},
        stubs=tuple(_replaced(kept, homes, modules)),
        absent=modules.absent,
    )
    return Assembly(program, tuple(notes))


def _makers(kept: Sequence[Survey], definitions: Mapping[str, Definition]) -> Iterator[str]:
    """Yield the files that may make a name which is only possible, also in another file's namespace."""
    for definition in definitions.values():
        if definition.state is FunctionState.POSSIBLE:
            yield from (s.source.name for s in kept if s.makes_names and s.may_make(definition.state))


def _replaced(kept: Sequence[Survey], homes: Mapping[str, str], modules: Modules) -> Iterator[tuple[str, str]]:
    """Yield (module, name) where an untouched stub is bound, its own or an imported one, and another file has more."""
    unfinished = {
        survey.source.name: {name for name, site in survey.last.items() if site.stub and name in homes}
        for survey in kept
    }
    files = {module: file for file, module in modules.names.items()}
    files |= {alias: file for file, aliases in modules.aliases.items() for alias in aliases}
    for survey in kept:
        own = survey.source.name
        bound = set(unfinished[own])
        for node in (node for piece in survey.source.pieces if piece.tree is not None for node in piece.tree.body):
            match node:
                case ast.ImportFrom(module=str() as module) if module in files:
                    names = {alias.name for alias in node.names if alias.asname in {None, alias.name}}
                    stubs = unfinished[files[module]]
                    bound |= stubs if "*" in names else stubs & names
        yield from ((modules.names[own], name) for name in homes if name in bound and homes[name] != own)


def _is_kept(survey: Survey, homes: Mapping[str, str]) -> bool:
    """Return whether a file can be run or imported."""
    source = survey.source
    if source.fault:
        return False
    if source.name in homes.values():
        return True
    if source.notebook:
        return bool(survey.last) and not any(name in homes for name in survey.last)
    if survey.broken or any(piece.unread for piece in source.pieces) or _shadows(survey):
        return False
    return not (any(name in homes for name in survey.last) and _holds_nothing_else(survey))


def _shadows(survey: Survey) -> bool:
    """Return whether an import would take a file for a library: `numpy.py`."""
    return not survey.source.notebook and "/" not in survey.source.name and is_library(file_stem(survey.source.name))


def _explain_left_out(survey: Survey, homes: Mapping[str, str]) -> str:
    source = survey.source
    if source.fault or source.name in homes.values():
        return ""
    if _shadows(survey):
        return f"{source.name} was left out: its name is that of the library `{file_stem(source.name)}`"
    if source.notebook and not survey.last and not survey.broken:
        return f"{source.name} has none of the asked-for functions and was not run"
    return ""


def _holds_nothing_else(survey: Survey) -> bool:
    """Return whether a script has nothing but what other files define better."""
    known = {id(site.node) for site in survey.last.values()}
    trees = [piece.tree for piece in survey.source.pieces if piece.tree is not None]
    harmless = ast.Import | ast.ImportFrom | ast.Expr | ast.If
    return all(id(node) in known or isinstance(node, harmless) for tree in trees for node in tree.body)
