"""How files are named in a report: relative, in composed form, each name once, and nothing in it that acts."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from grader.inert import write_out

NAMES_SHOWN = 3  # names in a sentence


def clean(name: str) -> str:
    r"""Return a name with composed accents (NFC), so that systems agree on it, and with its odd characters written out.

    Bytes that are no UTF-8 (`\udcff`), line breaks and marks that turn the order of letters around stay in the name,
    as escapes: two files that differ in nothing else have two names.
    """
    return write_out(unicodedata.normalize("NFC", name))


def label(path: Path) -> str:
    """Return a path without anything that tells the machine or its user."""
    if path.is_absolute() or ".." in path.parts:
        return clean(path.name) or "the folder"
    return clean(path.as_posix())


def relative(place: Path, top: Path) -> str:
    """Return the name of what lies below a folder."""
    return clean(place.relative_to(top).as_posix())


def make_distinct(named: Iterable[tuple[Path, str]]) -> list[str]:
    """Return names that are unique: two files of one name get their folder's name in front, or a number behind."""
    files = list(named)
    counts = Counter(name for _, name in files)
    numbers: Counter[str] = Counter()
    unique: dict[str, None] = {}
    for place, name in files:
        plain = name if counts[name] == 1 else f"{clean(place.absolute().parent.name)}/{name}"
        numbered = plain
        while numbered in unique:
            numbers[plain] += 1
            numbered = f"{plain} [{numbers[plain] + 1}]"
        unique[numbered] = None
    return list(unique)


def enumerate_names(names: Sequence[str]) -> str:
    """Return the first few names, and how many more there are."""
    if len(names) <= NAMES_SHOWN:
        return ", ".join(names)
    return f"{', '.join(names[:NAMES_SHOWN])} and {len(names) - NAMES_SHOWN} more"
