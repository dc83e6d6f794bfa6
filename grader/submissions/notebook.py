"""From the bytes of a notebook to its cells.

A notebook of version 4 is plain JSON with a list of cells, and only the sources matter here: no library is needed, and
whatever does not touch the sources (ids, outputs, metadata) may be wrong. Versions 1 to 3 keep the same cells in
worksheets. Cells are numbered from 1 in file order, markdown and raw cells included.
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from grader.submissions.characters import line_of, normalise_lines, replace_surrogates
from grader.submissions.parsing import CONFLICT_MARK, UnreadableError, decode

CELL_KINDS = frozenset({"code", "markdown", "raw", "heading"})
OLD_KINDS = {"html": "raw", "plaintext": "raw", "rst": "raw", "text": "raw"}  # of versions 1 to 3
CURRENT = 4  # the version of the format since 2015
# 256 MiB of `[],[],...` would take 5 GB once parsed; outputs of that size are text, or numbers by the million.
MAX_VALUES = 10_000_000


class NotebookCell(NamedTuple):
    """One cell: its position in the file from 1, its kind (code, markdown, raw, heading) and its source."""

    number: int
    kind: str
    source: str


class Notebook(NamedTuple):
    """The cells that could be read, and a note for each oddity, without the file's name."""

    cells: tuple[NotebookCell, ...]
    notes: tuple[str, ...] = ()


def read_notebook(raw: bytes) -> Notebook:
    """Read a notebook.

    Parameters
    ----------
    raw : bytes
        The file.

    Returns
    -------
    Notebook
        Its cells; odd ones are left out with a note.

    Raises
    ------
    UnreadableError
        It is no notebook; the message says what it is instead, with line and column where there are any.
    """
    text, encoding = decode(raw)
    text = text.rstrip("\0")
    content = _load(text)
    notes = [encoding] if encoding else []
    if not isinstance(content, dict):
        message = f"is not a notebook: it holds {_name(content)}, not an object with cells"
        raise UnreadableError(message)
    version = content.get("nbformat")
    is_old = type(version) is int and 1 <= version < CURRENT
    if "cells" not in content and (is_old or "worksheets" in content):
        content = content | {"cells": _list_old_cells(content)}
    elif version != CURRENT or type(version) is bool:
        notes.append(f"says nbformat {str(version)[:20]!r} and was read as version {CURRENT}")
    cells = content.get("cells")
    if not isinstance(cells, list):
        what = "it has no list of cells" if cells is None else f"its cells are {_name(cells)}, not a list"
        message = f"is not a notebook: {what}"
        raise UnreadableError(message)
    if language := _foreign_language(content):
        notes.append(f"says that its language is {language}")
    found = tuple(_walk(cells, notes))
    return Notebook(found, tuple(notes))


def _load(text: str) -> Any:
    start = text[:2000].lstrip()
    if not start:
        message = "is empty"
    elif start.startswith("<") and not CONFLICT_MARK.match(start):
        message = "is a web page (HTML or XML), not a notebook; download the notebook file itself"
    elif sum(map(text.count, "[{,")) > MAX_VALUES:
        message = f"is too large: it holds more than {MAX_VALUES} values; clear its outputs and save it again"
    else:
        try:
            return _parse(text)
        except json.JSONDecodeError as error:
            message = _describe_json(text, error)
        except RecursionError:
            message = "is nested too deeply to be a notebook"
    raise UnreadableError(message)


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        raise
    except ValueError:  # an integer of more digits than Python converts
        return json.loads(text, parse_int=lambda digits: int(digits[:16]))


def _describe_json(text: str, error: json.JSONDecodeError) -> str:
    if conflict := CONFLICT_MARK.search(text):
        return f"has an unresolved merge conflict at line {line_of(text, conflict.start())}"
    where = f"line {error.lineno} column {error.colno}"
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        return f"is cut off: the file ends inside the notebook ({where}: {error.msg})"
    return f"is not a notebook: {where} is not valid JSON ({error.msg})"


def _list_old_cells(content: dict[str, Any]) -> list[Any]:
    """Return the cells of version 1 to 3, as version 4 would have them. What is not a source does not matter."""
    sheets = content.get("worksheets")
    if not isinstance(sheets, list):
        message = "is a notebook of an old version that cannot be upgraded (it has no list of worksheets)"
        raise UnreadableError(message)
    inside = (sheet.get("cells") for sheet in sheets if isinstance(sheet, dict))
    return [_upgrade_cell(cell) for cells in inside if isinstance(cells, list) for cell in cells]


def _upgrade_cell(cell: Any) -> Any:
    if not isinstance(cell, dict):
        return cell
    source = cell.get("source", cell.get("input"))
    if isinstance(source, list):
        lines = [line for line in source if isinstance(line, str)]
        # Version 2 keeps no line ends in its lists, version 3 does or does not.
        source = ("" if lines and lines[0].endswith(("\n", "\r")) else "\n").join(lines)
    kind = cell.get("cell_type")
    return {"cell_type": OLD_KINDS.get(kind, kind) if isinstance(kind, str) else kind, "source": source}


def _walk(cells: list[Any], notes: list[str]) -> Iterator[NotebookCell]:
    for number, cell in enumerate(cells, start=1):
        if not isinstance(cell, dict):
            notes.append(f"cell {number} is {_name(cell)}, not a cell, and was left out")
            continue
        kind = cell.get("cell_type")
        if kind is None and ("outputs" in cell or "execution_count" in cell):
            kind = "code"
        if not isinstance(kind, str) or kind not in CELL_KINDS:
            notes.append(f"cell {number} is of no known type and was left out")
            continue
        source = _join(cell.get("source", cell.get("input")))
        if source is None:
            notes.append(f"cell {number} has no readable source")
            source = ""
        clean = replace_surrogates(source)
        if clean != source:
            notes.append(f"cell {number} holds half of a character (a lone surrogate), which was replaced")
        yield NotebookCell(number, kind, normalise_lines(clean))


def _join(source: Any) -> str | None:
    match source:
        case str():
            return source
        case list():
            return "".join(part for part in source if isinstance(part, str))
        case None:
            return ""
        case _:
            return None


def _foreign_language(content: dict[str, Any]) -> str:
    metadata = content.get("metadata")
    language = metadata.get("language_info") if isinstance(metadata, dict) else None
    name = language.get("name") if isinstance(language, dict) else None
    return name[:40] if isinstance(name, str) and name and "python" not in name.lower() else ""


def _name(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case str():
            return "a string"
        case int() | float():
            return "a number"
        case list():
            return "a list"
        case _:
            return "an object"
