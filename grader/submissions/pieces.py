"""From the text of one script or cell to a `Piece` with its syntax tree."""

from typing import NamedTuple

from grader.submissions.magics import Stripped, strip_magics
from grader.submissions.parsing import UnreadableError, parse
from grader.submissions.records import Piece


class Parsed(NamedTuple):
    """A piece, and what its notebook syntax says.

    Attributes
    ----------
    piece : Piece
        Without a tree where the text does not parse.
    dropped : str
        The cell magic, e.g. "%%bash", where nothing of the cell is run.
    module : str
        "third_key" for a cell that began with `%%writefile third_key.py`.
    note : str
        What a person should know, without the file's name.
    """

    piece: Piece
    dropped: str = ""
    module: str = ""
    note: str = ""


def parse_script(text: str) -> Parsed:
    """Parse a script; one with notebook syntax in it (`%matplotlib inline`) is read without that."""
    try:
        return Parsed(Piece(text, parse(text)))
    except UnreadableError as error:
        fault = str(error)
    stripped = strip_magics(text)
    if not stripped.dropped and stripped.text != text:
        try:
            piece = Piece(stripped.text, parse(stripped.text))
        except UnreadableError:
            pass
        else:
            return Parsed(piece, note="holds notebook syntax, which was not run")
    return Parsed(Piece(text, None, fault=fault))


def parse_cell(text: str, number: int | None) -> Parsed:
    """Parse a cell as it is; only where that fails, look for notebook syntax in it."""
    fault = ""
    if not text.lstrip().startswith("In ["):  # a pasted prompt, although `In [3]: x = 1` is an annotation
        try:
            return Parsed(Piece(text, parse(text), number))
        except UnreadableError as error:
            fault = str(error)
    stripped = strip_magics(text)
    if stripped.dropped:
        return Parsed(Piece(text, None, number), stripped.dropped)
    return Parsed(_parse_stripped(stripped, text, number, fault), module=stripped.module)


def _parse_stripped(stripped: Stripped, text: str, number: int | None, fault: str) -> Piece:
    if stripped.text == text and fault:
        return Piece(text, None, number, fault)
    try:
        return Piece(stripped.text, parse(stripped.text), number)
    except UnreadableError as error:
        return Piece(stripped.text, None, number, str(error))
