"""Write text for a terminal: harmless, wrapped, and readable without colour or symbols."""

import unicodedata
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from grader.inert import is_inert
from grader.report import Outcome


class Mark(NamedTuple):
    """How an outcome is shown: a word always, a symbol beside it, another one where only ASCII can be written."""

    word: str
    symbol: str
    plain: str
    color: str


MARKS: Mapping[Outcome, Mark] = MappingProxyType(
    {
        Outcome.PASSED: Mark("passed", "✓", "ok", "green"),
        Outcome.FAILED: Mark("failed", "✗", "x", "red"),
        Outcome.ERROR: Mark("error", "✗", "x", "red"),
        Outcome.TIMEOUT: Mark("timeout", "✗", "x", "red"),
        Outcome.CRASHED: Mark("crashed", "✗", "x", "red"),
        Outcome.MEMORY: Mark("memory", "✗", "x", "red"),
        Outcome.MISSING: Mark("missing", "✗", "x", "red"),
        Outcome.NOT_ATTEMPTED: Mark("not started", "·", "-", "cyan"),
        Outcome.SKIPPED: Mark("skipped", "–", "-", "yellow"),
        Outcome.PENDING: Mark("waits for a person", "…", "~", "cyan"),
    }
)
PARTLY = Mark("partly right", "✗", "x", "yellow")

_LEAST = 8  # columns of text, however narrow the page


def neutralise(text: str) -> str:
    """Return `text` with whatever could drive a terminal or turn its order around written out as an escape.

    Control characters, bidirectional marks, characters that nothing is drawn for, surrogates, unassigned code points,
    line separators. Newlines and blanks of any width stay, a tab becomes four spaces.
    """
    return "".join(_written_out(character) for character in text.replace("\r\n", "\n").replace("\t", "    "))


def _written_out(character: str) -> str:
    if character == "\n" or is_inert(character) or unicodedata.category(character) == "Zs":
        return character
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def measure(text: str) -> int:
    """Return the columns that `text` takes: two for a wide character, none for one that combines."""
    return sum(_cells(character) for character in text)


def _cells(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def wrap(text: str, width: int, *, first: str = "", rest: str | None = None, most: int | None = None) -> list[str]:
    """Return harmless lines of at most `width` columns: `first` before the first one, `rest` before the others.

    Newlines in `text` are kept, words longer than a line are cut, and after `most` lines an ellipsis says so.
    """
    rest = " " * measure(first) if rest is None else rest
    rooms = max(width - measure(first), _LEAST), max(width - measure(rest), _LEAST)
    broken: list[str] = []
    for paragraph in neutralise(text).split("\n"):
        broken += _break(paragraph, rooms[1] if broken else rooms[0], rooms[1])
    if most is not None and len(broken) > most:
        last = _cut(broken[most - 1], rooms[1] - 4)
        # Not within a word or a number, where the line has a space.
        whole = last if last == broken[most - 1] else last.rpartition(" ")[0] or last
        broken = [*broken[: most - 1], f"{whole} ..."]
    return [f"{first if number == 0 else rest}{line}".rstrip() for number, line in enumerate(broken)]


def _break(paragraph: str, first_room: int, room: int) -> list[str]:
    words = paragraph.lstrip(" ")
    margin = paragraph[: min(len(paragraph) - len(words), room - _LEAST)]
    lines = [""]
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if measure(margin + longer) <= (first_room if len(lines) == 1 else room):
            lines[-1] = longer
            continue
        if lines[-1]:
            lines.append("")
        rest = word
        while (piece := _cut(rest, room - len(margin))) != rest:
            lines[-1] = piece
            rest = rest[len(piece) :]
            lines.append("")
        lines[-1] = rest
    return [margin + line for line in lines]


def _cut(text: str, room: int) -> str:
    used = 0
    for number, character in enumerate(text):
        used += _cells(character)
        if used > room:
            return text[: max(number, 1)]
    return text


def name_list(names: list[str]) -> str:
    """Return the names once each, in order, separated by commas."""
    return ", ".join(dict.fromkeys(names))
