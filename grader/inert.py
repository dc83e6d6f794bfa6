r"""Strings that others wrote, shown so that they can do nothing: to a line, to a terminal, to a reader's eye.

A file may be called ``gpj.\u202e.py``, and an error message may hold the escape sequence that clears a screen. Every
control character, bidirectional mark, zero-width character and blank that is not a space is written out in the form of
a Python string. `write_out` does it so that the name can be read back, for keys and for files that are read again.
"""

import re
from functools import lru_cache

# Nothing is drawn for these, although Unicode counts them as letters, marks or symbols: the grapheme joiner, Hangul and
# Khmer fillers, variation selectors, the empty Braille cell.
_UNSEEN = frozenset(map(chr, (0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0)))
_UNSEEN |= frozenset(map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
_ESCAPE = r"\\(?:\\|x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|[tnr])"


def printable(text: str) -> str:
    """Return the string with everything written out that would break a line or cannot be seen."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_show, text))


def write_out(name: str) -> str:
    r"""Return a name as `printable` does, from which `read_back` gets the name: a backslash is doubled."""
    return printable(name.replace("\\", "\\\\"))


def read_back(shown: str) -> str:
    """Return the name that `write_out` was given."""
    return re.sub(_ESCAPE, lambda match: match[0].encode().decode("unicode_escape"), shown)


def printable_lines(text: str) -> str:
    """Return several lines as `printable` does, with the line breaks between them as they are."""
    return "\n".join(map(printable, text.split("\n")))


def is_inert(character: str) -> bool:
    """Return whether a character can be seen and does nothing else."""
    return character.isprintable() and character not in _UNSEEN


@lru_cache(maxsize=1024)
def _show(character: str) -> str:
    if is_inert(character):
        return character
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")
