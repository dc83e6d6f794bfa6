"""The text of a program's cells: what must not run is blanked, and every other line keeps its number."""

import ast
from collections.abc import Collection, Sequence

from grader.calls import Cell
from grader.submissions.choice import Survey
from grader.submissions.records import Piece


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
    pieces = [piece for piece in survey.source.pieces if piece.tree is not None or not survey.source.notebook]
    cells = []
    for piece in pieces:
        covered = [site.node for site in survey.covered if site.cell == piece.number]
        needless = _own_imports(piece, own, modules) if survey.source.notebook else []
        cells.append(Cell(_blank(piece.text, covered + needless), piece.number))
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
    for node in nodes:
        decorators: list[ast.expr] = getattr(node, "decorator_list", [])
        first = min([node.lineno, *(decorator.lineno for decorator in decorators)]) - 1
        last = node.end_lineno or node.lineno
        before = b"" if decorators else lines[first].encode()[: node.col_offset]
        after = lines[last - 1].encode()[node.end_col_offset or 0 :].strip()
        if before.strip() or (after and not after.startswith(b"#")):
            continue  # other code shares the line
        indent = lines[first][: len(lines[first]) - len(lines[first].lstrip())]
        lines[first:last] = [f"{indent}pass"] + [""] * (last - first - 1)
    return "\n".join(lines)
