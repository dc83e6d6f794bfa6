"""From bytes to text, and from text to a syntax tree, each fault in one sentence."""

import ast
import codecs
import json
import re
import unicodedata
import warnings

from grader.errors import UsageError
from grader.submissions.characters import line_of, normalise_lines, one_line

COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
# Codecs that turn text into other text (rot13, punycode, unicode_escape) are no way to store a program.
TEXT_CODECS = re.compile(r"(utf[-_]?8|ascii|us|latin|l\d|iso|windows|cp|gb|big5|shift|sjis|euc|koi8|mac|tis|johab|hz)")
CONFLICT_MARK = re.compile(r"^<{7}(?: .*)?$", re.MULTILINE)
MAX_CODE = 4 * 1024 * 1024  # characters parsed at once: what a script may have
LEFTOVER = 1024 * 1024  # how much of an unreadable file is searched for names
FIRST_BYTES = (
    (b"\x1f\x8b", "a gzip archive"),
    (b"PK\x03\x04", "a zip archive"),
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG", "a picture"),
    (b"version https://git-lfs", "a Git LFS pointer, not the file itself"),
)


class UnreadableError(UsageError):
    """A file or cell cannot be read. The message goes on after the file's name: "is a zip archive", "line 3: ..."."""


def decode(raw: bytes, *, cookie: bool = False) -> tuple[str, str]:
    r"""Decode a file's bytes.

    Parameters
    ----------
    raw : bytes
        The file.
    cookie : bool
        Whether a first or second line such as ``# -*- coding: latin-1 -*-`` names the encoding.

    Returns
    -------
    tuple of str and str
        The text with ``\n`` line ends and without a byte order mark; and a note, empty for plain UTF-8.

    Raises
    ------
    UnreadableError
        The bytes are another kind of file, or do not fit their encoding.
    """
    for first, kind in FIRST_BYTES:
        if raw.startswith(first):
            message = f"is {kind}"
            raise UnreadableError(message)
    if raw and not raw.strip(b"\0"):
        message = "holds nothing but NUL bytes: the copy or upload went wrong"
        raise UnreadableError(message)
    encoding, note = (_cookie_encoding(raw) if cookie else ""), ""
    if not encoding:
        encoding = json.detect_encoding(raw)
        note = f"is saved as {encoding.upper()} and was read as such" if "8" not in encoding else ""
    elif codecs.lookup(encoding).name == "utf-8":
        encoding = "utf-8-sig"
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        raise UnreadableError(_undecodable(raw, error)) from None
    return normalise_lines(text.removeprefix("\ufeff")), note


def decode_anyhow(raw: bytes) -> str:
    """Decode the beginning of a file for a look at names: every byte sequence gives some text."""
    return normalise_lines(raw[:LEFTOVER].decode(json.detect_encoding(raw), errors="replace"))


def parse(text: str) -> ast.Module:
    """Parse Python text.

    Raises
    ------
    UnreadableError
        Where the text does not parse: "line 3: SyntaxError: expected ':'".
    """
    if len(text) > MAX_CODE:
        message = f"the code is too long to be parsed: {len(text)} characters, the limit is {MAX_CODE}"
        raise UnreadableError(message)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an invalid escape in a student's string is their business
            return ast.parse(text)
    except SyntaxError as error:
        raise UnreadableError(_describe_syntax(text, error)) from None
    except RecursionError:
        message = "the code is nested too deeply to be parsed"
    except MemoryError:  # for both reasons, which cannot be told apart
        message = "the code is nested too deeply, or needs too much memory, to be parsed"
    except (ValueError, OverflowError, SystemError) as error:
        message = one_line(f"{type(error).__name__}: {error}")
    raise UnreadableError(message)


def _cookie_encoding(raw: bytes) -> str:
    lines = raw[:2000].removeprefix(codecs.BOM_UTF8).replace(b"\r", b"\n").split(b"\n", 2)[:2]
    if lines[0].strip() and not lines[0].lstrip().startswith(b"#"):
        return ""
    for line in lines:
        if match := COOKIE.match(line):
            name = match[1].decode("ascii", "replace").lower()
            if not TEXT_CODECS.match(name) or not _is_codec(name):
                message = f"names an unknown encoding, {name}; save it as UTF-8"
                raise UnreadableError(message)
            return name
    return ""


def _is_codec(name: str) -> bool:
    try:
        codecs.lookup(name)
    except LookupError:
        return False
    return True


def _undecodable(raw: bytes, error: UnicodeDecodeError) -> str:
    line = raw.count(b"\n", 0, error.start) + 1
    encoding = error.encoding.upper().removesuffix("-SIG")
    return f"line {line}: byte 0x{raw[error.start]:02x} is not valid {encoding}; save the file as UTF-8"


def _describe_syntax(text: str, error: SyntaxError) -> str:
    if conflict := CONFLICT_MARK.search(text):
        return f"line {line_of(text, conflict.start())}: unresolved merge conflict"
    where = f"line {error.lineno}: " if error.lineno else ""
    message = one_line(str(error.msg))
    if character := re.search(r"U\+([0-9A-F]{4,6})", message):
        name = unicodedata.name(chr(int(character[1], 16)), "unnamed").lower()
        return (
            f"{where}{type(error).__name__}: column {error.offset} holds the character U+{character[1]} ({name}), "
            "which often comes from a web page or a text processor; type it anew"
        )
    return f"{where}{type(error).__name__}: {message}"
