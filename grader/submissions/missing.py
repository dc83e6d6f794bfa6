"""Why a name is missing, where the files give a reason."""

import ast
from collections.abc import Collection, Iterator, Sequence

from grader.submissions.definitions import FunctionNode, names_in_text
from grader.submissions.records import Asked, Source, locate

MOST_NAMES = 2000  # that are compared
_CLOSE = 0.85  # of 1: a letter or two in ten


def find_causes(names: Collection[str], sources: Sequence[Source], asked: Asked) -> dict[str, str]:
    """Return sentences on where something like a missing name stands.

    Parameters
    ----------
    names : collection of str
        Names that no file defines.
    sources : sequence of Source
        All files.
    asked : Asked
        The names that are asked for.

    Returns
    -------
    dict of str to str
        One sentence for each name that has an explanation: defined inside something, spelled otherwise, or in a cell
        that is not run.
    """
    causes: dict[str, str] = {}
    if not names:
        return causes
    from difflib import get_close_matches

    alike = {_squeeze(name): name for name in names}
    seen: set[str] = set()
    for source in sources:
        for place, other in _spots(source):
            if other in seen or len(seen) > MOST_NAMES:
                continue
            seen.add(other)
            near = get_close_matches(other, names, 1, _CLOSE) if other not in asked.stems else []
            if near:
                causes.setdefault(near[0], f"`{near[0]}` is not defined; {place} defines `{other}`")
            if other in names:
                cause = (
                    f"`{other}` is not defined at the top level; the one in {place} is inside a class, a function or "
                    '`if __name__ == "__main__":`'
                )
                causes.setdefault(other, cause)
            elif other not in asked.stems and (name := alike.get(_squeeze(other))):
                causes.setdefault(name, f"`{name}` is not defined; {place} defines `{other}`")
        for prose in source.prose:
            for name in names_in_text(prose.text, names):
                place = locate(source.name, prose.number)
                causes.setdefault(
                    name, f"`{name}` is not defined; {prose.kind} contains code that looks like it ({place})"
                )
    return causes


def _spots(source: Source) -> Iterator[tuple[str, str]]:
    """Yield (place, name) of every function, class and assigned name."""
    for piece in source.pieces:
        if piece.tree is None:
            continue
        for node in ast.walk(piece.tree):
            if isinstance(node, FunctionNode | ast.ClassDef):
                yield locate(source.name, piece.number, node.lineno), node.name
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                yield locate(source.name, piece.number, node.lineno), node.targets[0].id


def _squeeze(name: str) -> str:
    return name.replace("_", "").casefold()
