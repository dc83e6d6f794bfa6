"""From the bytes of a script to its text and syntax tree."""

from typing import NamedTuple

from grader.submissions.magics import strip_magics
from grader.submissions.parsing import UnreadableError, decode, parse
from grader.submissions.records import Piece


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
        plain = strip_magics(text)
        if not plain.dropped and plain.text != text:
            try:
                return Script(Piece(plain.text, parse(plain.text)), ("holds notebook syntax, which was not run",))
            except UnreadableError:
                pass
        return Script(Piece(text, None, fault=str(error)))


def decode_script(raw: bytes) -> tuple[str, str]:
    """Decode a script's bytes by its byte order mark or coding line; see `text.decode`."""
    return decode(raw, cookie=True)
