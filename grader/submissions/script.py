"""From the bytes of a script to its text and syntax tree."""

from typing import NamedTuple

from grader.submissions.magics import neutralise
from grader.submissions.records import Piece
from grader.submissions.text import UnreadableError, decode, parse


class Script(NamedTuple):
    """A script's one piece, and notes without the file's name."""

    piece: Piece
    notes: tuple[str, ...] = ()


def read_script(text: str) -> Script:
    """Parse a script's text; a script with notebook syntax in it (`%matplotlib inline`) is read without that.

    Parameters
    ----------
    text : str
        The decoded text.

    Returns
    -------
    Script
        Its piece has no tree where the text does not parse.
    """
    try:
        return Script(Piece(text, parse(text)))
    except UnreadableError as error:
        plain = neutralise(text)
        if not plain.dropped and plain.text != text:
            try:
                return Script(Piece(plain.text, parse(plain.text)), ("holds notebook syntax, which was not run",))
            except UnreadableError:
                pass
        return Script(Piece(text, None, fault=str(error)))


def decode_script(raw: bytes) -> tuple[str, str]:
    """Decode a script's bytes by its byte order mark or coding line; see `text.decode`."""
    return decode(raw, cookie=True)
