"""The text of a program's cells: what must not run is blanked, and every other line keeps its number."""

import ast
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from grader.calls import Cell
from grader.submissions.records import Piece
from grader.submissions.surveys import Survey


def make_cells(survey: Survey, own: Collection[str], modules: Collection[str]) -> tuple[Cell, ...]:
    """Return the cells of one file.

    Parameters
    ----------
    survey : Survey
        The file.
    own : collection of str
        The asked-for names whose definition in this file counts.
    modules : collection of str
        The names under which the file is imported, and the exercise stems: a notebook that imports its own functions
        from one of them needs no import, and may do so above the definition.

    Returns
    -------
    tuple of Cell
        Cells of a notebook that do not parse are left out; a script is one cell, whether it parses or not.
    """
    notebook = survey.source.notebook
    needless: dict[int | None, list[ast.stmt]] = defaultdict(list)
    for site in survey.covered:
        needless[site.cell].append(site.node)
    cells: list[Cell] = []
    for piece in survey.source.pieces:
        if notebook and piece.tree is None:
            continue
        nodes = needless[piece.number] + (_own_imports(piece, own, modules) if notebook else [])
        cells.append(Cell(_blank(piece.text, nodes), piece.number))
    return tuple(cells)


def _own_imports(piece: Piece, own: Collection[str], modules: Collection[str]) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for node in piece.tree.body if piece.tree else ():
        match node:
            case ast.ImportFrom(module=str() as module, level=0) if module in modules:
                if all(alias.name in own and alias.asname in {None, alias.name} for alias in node.names):
                    found.append(node)
    return found


def _blank(text: str, nodes: Sequence[ast.stmt]) -> str:
    if not nodes:
        return text
    lines = text.split("\n")
    distinct = {id(node): node for node in nodes}.values()  # `CHAIN, EXPLANATION = [], ""` stands for two names
    crowded = _find_crowded(distinct)
    for node in distinct:
        first, last = _span(node)
        if first in crowded or last in crowded or _shares_a_line(node, lines):
            continue
        indent = lines[first][: len(lines[first]) - len(lines[first].lstrip())]
        lines[first : last + 1] = [f"{indent}pass"] + [""] * (last - first)
    return "\n".join(lines)


def _find_crowded(nodes: Iterable[ast.stmt]) -> set[int]:
    """Return lines on which two of the nodes stand: a line of ten thousand statements is looked at once."""
    seen: set[int] = set()
    crowded: set[int] = set()
    for node in nodes:
        for line in set(_span(node)):
            (crowded if line in seen else seen).add(line)
    return crowded


def _span(node: ast.stmt) -> tuple[int, int]:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(decorator.lineno for decorator in decorators)]) - 1
    return first, (node.end_lineno or node.lineno) - 1


def _shares_a_line(node: ast.stmt, lines: Sequence[str]) -> bool:
    """Return whether other code stands on the first or the last line of a statement."""
    first, last = _span(node)
    before = b"" if getattr(node, "decorator_list", []) else lines[first].encode()[: node.col_offset]
    after = lines[last].encode()[node.end_col_offset or 0 :].strip()
    return bool(before.strip() or (after and not after.startswith(b"#")))
