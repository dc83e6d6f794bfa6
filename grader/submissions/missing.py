"""Why a name is missing, where the files give a reason."""

import ast
from collections.abc import Iterator, Sequence

from grader.submissions.definitions import names_in_text
from grader.submissions.records import Asked, Source, locate

Named = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def explain_missing(name: str, sources: Sequence[Source], asked: Asked) -> str:
    """Give one sentence on where something like the name stands, or nothing."""
    for source in sources:
        for explanation in (_hidden(name, source), _misspelled(name, source, asked), _prose(name, source)):
            if explanation:
                return explanation
    return ""


def _hidden(name: str, source: Source) -> str:
    for cell, node in _functions(source):
        if node.name == name:
            place = locate(source.name, cell, node.lineno)
            return (
                f"`{name}` is not defined at the top level; the one in {place} is inside a class, a function or "
                '`if __name__ == "__main__":`'
            )
    return ""


def _misspelled(name: str, source: Source, asked: Asked) -> str:
    found = [(cell, node.lineno, node.name) for cell, node in _functions(source)]
    for cell, line, other in [*found, *_constants(source)]:
        if other not in asked.stems and _squeeze(other) == _squeeze(name):
            return f"`{name}` is not defined; {locate(source.name, cell, line)} defines `{other}`"
    return ""


def _prose(name: str, source: Source) -> str:
    for prose in source.prose:
        if names_in_text(prose.text, [name]):
            place = locate(source.name, prose.number)
            return f"`{name}` is not defined; {prose.kind} contains code that looks like it ({place})"
    return ""


def _functions(source: Source) -> Iterator[tuple[int | None, Named]]:
    for piece in source.pieces:
        if piece.tree is not None:
            for node in ast.walk(piece.tree):
                if isinstance(node, Named):
                    yield piece.number, node


def _constants(source: Source) -> Iterator[tuple[int | None, int, str]]:
    for piece in source.pieces:
        for node in piece.tree.body if piece.tree is not None else ():
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        yield piece.number, node.lineno, target.id


def _squeeze(name: str) -> str:
    return name.replace("_", "").casefold()
