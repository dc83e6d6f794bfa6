"""Why a name is missing, where the files give a reason."""

import ast
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from grader.inert import printable
from grader.submissions.bindings import all_statements
from grader.submissions.flags import NOT_FOUND
from grader.submissions.forms import FunctionNode, names_in_text
from grader.submissions.records import Asked, Piece, Source, locate
from grader.submissions.surveys import Survey, flag_unread, word_fault

MOST_NAMES = 2000  # that are compared
_CLOSE = 0.85  # of 1: a letter or two in ten


class Cause(NamedTuple):
    """Why a name is missing, in one sentence, and the flag for it."""

    sentence: str
    flag: str = NOT_FOUND


def find_causes(names: Collection[str], surveys: Sequence[Survey], asked: Asked) -> dict[str, Cause]:
    """Return sentences on where something like a missing name stands.

    Parameters
    ----------
    names : collection of str
        Names that no file defines.
    surveys : sequence of Survey
        All files.
    asked : Asked
        The names that are asked for.

    Returns
    -------
    dict of str to Cause
        One sentence for each name that has an explanation: defined inside something, spelled otherwise, in a cell
        that is not run, or perhaps in one that does not parse.
    """
    if not names:
        return {}
    sources = [survey.source for survey in surveys]
    causes = {name: Cause(sentence) for name, sentence in _find_alike(names, sources, asked).items()}
    for source in sources:
        for prose in source.prose:
            for name in names_in_text(prose.text, names):
                place = locate(source.name, prose.number)
                sentence = f"`{name}` is not defined; {prose.kind} contains code that looks like it ({place})"
                causes.setdefault(name, Cause(sentence))
    # Where none of the names is there at all, the files have nothing to do with the exercises.
    if len(names) < len(asked.stems) and (broken := _tell_broken(sources)):
        flag = next(flag for survey in surveys if (flag := flag_unread(survey)))
        for name in names:
            causes.setdefault(name, Cause(f"`{name}` is not defined in any file; {broken}", flag))
    return causes


def _tell_broken(sources: Sequence[Source]) -> str:
    places = [
        f"{locate(source.name, piece.number)} {word_fault(piece)}"
        for source in sources
        for piece in source.pieces
        if piece.tree is None
    ]
    more = f", and {len(places) - 1} more like it" if len(places) > 1 else ""
    return f"{places[0]}{more}" if places else ""


def _find_alike(names: Collection[str], sources: Sequence[Source], asked: Asked) -> dict[str, str]:
    from difflib import get_close_matches

    causes: dict[str, str] = {}
    alike = {_squeeze(name): name for name in names}
    seen: set[str] = set()
    for file, other, piece, line in (spot for source in sources for spot in _spots(source)):
        if other in seen or len(seen) > MOST_NAMES:
            continue
        seen.add(other)
        place = locate(file, piece.number, line)
        if other in names:
            cause = (
                f"`{other}` is not defined at the top level; the one in {place} is inside a class, a function or "
                '`if __name__ == "__main__":`'
            )
            causes.setdefault(other, cause)
        elif other not in asked.stems:
            near = get_close_matches(other, names, 1, _CLOSE) or [alike.get(_squeeze(other), "")]
            if near[0]:
                causes.setdefault(near[0], f"`{near[0]}` is not defined; {place} defines `{printable(other)}`")
    return causes


def _spots(source: Source) -> Iterator[tuple[str, str, Piece, int]]:
    """Yield file, name, piece and line of every function, class and assigned name."""
    for piece in source.pieces:
        for node in all_statements(piece.tree) if piece.tree else ():
            if isinstance(node, FunctionNode | ast.ClassDef):
                yield source.name, node.name, piece, node.lineno
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                yield source.name, node.targets[0].id, piece, node.lineno


def _squeeze(name: str) -> str:
    return name.replace("_", "").casefold()
