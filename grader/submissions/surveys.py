"""What one file has of the asked-for names: definitions, stubs, and what is seen in code that does not parse."""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from grader.submissions.flags import TOO_LARGE, UNREADABLE
from grader.submissions.forms import names_in_text
from grader.submissions.names import file_stem, looks_like
from grader.submissions.reasons import is_about_size
from grader.submissions.records import Asked, FunctionState, Piece, Source, locate
from grader.submissions.sites import Site, Standing, effective, find_sites, identity

# What makes names that no line of a file defines. It is looked for in the text, because a match too many costs no more
# than a question to the child. The plain words come first: that is ten times as fast, and most code has none of them.
_MAKING: tuple[str, ...] = (
    "exec",
    "eval",
    "globals",
    "vars",
    "locals",
    "setattr",
    "import_module",
    "__import__",
    "run_path",
)
_MAKING += ("run_module", "run_cell", "__dict__", "__getattr__", "__code__", "sys.modules", ":=", "global ", "case ")
_MAKES_NAMES = (
    r"(?m)\b(?:exec|eval|globals|vars|locals|setattr|import_module|__import__|run_path|run_module|run_cell)\s*\("
    r"|\b(?:__dict__|__getattr__|__code__)\b|\bsys\.modules\b|:=|^[^\S\n]*(?:global|case) "
)
_BRINGS_ALL = r"(?m)^[^\S\n]*from[^\S\n]+([\w.]+)[^\S\n]+import \*"


class Breakage(NamedTuple):
    """Why a name cannot be read, and where."""

    cause: str
    cell: int | None = None
    line: int | None = None


class Survey(NamedTuple):
    """What one file has of the asked-for names.

    Attributes
    ----------
    last : mapping
        Name to the definition that wins in this file: the last edited one, else the last stub.
    covered : tuple of Site
        Stubs that stand below an edited definition in the same file, and would win when it is run.
    broken : mapping
        For names that are seen in text that does not parse.
    whole : str
        The cause where the file cannot be read, or empty.
    mentioned : frozenset of str
        Names that occur in its code, where one of the next two holds.
    makes_names, brings_all : bool
        Whether it has code that makes names while it runs, and whether it imports all that a foreign module has.
    """

    source: Source
    last: Mapping[str, Site]
    covered: tuple[Site, ...]
    broken: Mapping[str, Breakage]
    whole: str
    notes: tuple[str, ...]
    mentioned: frozenset[str] = frozenset()
    makes_names: bool = False
    brings_all: bool = False

    def may_make(self, state: FunctionState) -> bool:
        """Return whether running this file may define a name for which the source shows no more than `state`."""
        # A file that has none of the names, not even in a string, is a lecture's or a library's.
        if not (self.last or self.mentioned):
            return False
        return self.makes_names or (self.brings_all and state is not FunctionState.UNTOUCHED)


def survey_files(sources: Sequence[Source], asked: Asked) -> list[Survey]:
    """Find what each file has of the asked-for names."""
    siblings = {file_stem(source.name) for source in sources} | set(asked.stems.values())
    siblings |= {module for source in sources for module in source.modules}
    siblings |= {folder for source in sources for folder in source.name.split("/")[:-1]}
    return [_survey_file(source, asked, siblings) for source in sources]


def _survey_file(source: Source, asked: Asked, siblings: set[str]) -> Survey:
    parsed = [piece for piece in source.pieces if piece.tree is not None]
    found = [
        site
        for piece in parsed
        if piece.tree is not None
        for site in find_sites(piece.tree, asked.stems, siblings=siblings, cell=piece.number)
    ]
    sites: dict[str, list[Site]] = {}
    for site in effective(found, asked.stubs):
        sites.setdefault(site.name, []).append(site)
    last = {name: places[_find_last(places)] for name, places in sites.items()}
    broken, notes = _find_broken(source, asked)
    if source.notebook:
        notes += [note for name in last if (note := _note_earlier(source.name, last[name], sites[name]))]
    covered = tuple(site for places in sites.values() for site in places[_find_last(places) + 1 :])
    mentioned, makes_names, brings_all = _look_at_text(parsed, asked, siblings)
    whole = f"{source.name} {source.fault}" if source.fault else ""
    return Survey(source, last, covered, broken, whole, tuple(notes), mentioned, makes_names, brings_all)


def _find_last(places: Sequence[Site]) -> int:
    """Return the place of the definition that counts in one file: the last one that is more than a stub."""
    best = min(max(site.standing for site in places), Standing.IMPORTED)
    return max(number for number, site in enumerate(places) if site.standing >= best)


def _look_at_text(
    pieces: Sequence[Piece], asked: Asked, siblings: Collection[str]
) -> tuple[frozenset[str], bool, bool]:
    texts = [piece.text for piece in pieces]
    makes_names = any(
        any(word in text for word in _MAKING) and re.search(_MAKES_NAMES, text) is not None for text in texts
    )
    stars = (match[1].split(".")[0] for text in texts if "import *" in text for match in re.finditer(_BRINGS_ALL, text))
    brings_all = any(module and module not in siblings for module in stars)
    words = _any_word(tuple(asked.stems))
    mentioned = (match[0] for text in texts for match in words.finditer(text)) if makes_names or brings_all else ()
    return frozenset(mentioned), makes_names, brings_all


@lru_cache(maxsize=32)
def _any_word(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")


def _find_broken(source: Source, asked: Asked) -> tuple[dict[str, Breakage], list[str]]:
    """Find names in what does not parse, with the fault; and a note on each such piece."""
    if source.fault:
        fault = Breakage(f"{source.name} {source.fault}", line=_line(source.fault))
        return dict.fromkeys(_broken_names(source, source.text, asked), fault), [fault.cause]
    broken: dict[str, Breakage] = {}
    notes = []
    for piece in source.pieces:
        if piece.tree is None:
            names = _broken_names(source, piece.text, asked)
            line = _line(piece.fault)
            broken |= dict.fromkeys(names, Breakage(_word_cause(source, piece, line), piece.number, line))
            what = f"{source.name}: cell {piece.number}" if source.notebook else source.name
            notes.append(f"{what} {word_fault(piece)}")
    return broken, notes


def _word_cause(source: Source, piece: Piece, line: int | None) -> str:
    place = locate(source.name, piece.number)
    if piece.unread:
        return f"{place} {word_fault(piece)}"
    return f"{place} {piece.fault}" if line is not None else f"{place}: {piece.fault}"


def word_fault(piece: Piece) -> str:
    """Return what is said of a piece without a tree, after its name."""
    return f"was not read: {piece.fault}" if piece.unread else f"does not parse ({piece.fault}) and was not run"


def flag_unread(survey: Survey) -> str:
    """Return the flag for what cannot be read of a file; nothing where all of it can."""
    source = survey.source
    if not source.fault and all(piece.tree is not None for piece in source.pieces):
        return ""
    return TOO_LARGE if is_about_size(source.fault) else UNREADABLE


def _line(fault: str) -> int | None:
    line = re.match(r"line (\d+)", fault)
    return int(line[1]) if line else None


def _broken_names(source: Source, text: str, asked: Asked) -> list[str]:
    names = names_in_text(text, asked.stems)
    if names or (source.notebook and not source.fault):
        return names
    stem = file_stem(source.name)
    return [name for name, exercise in asked.stems.items() if looks_like(stem, exercise)]


def _note_earlier(file: str, last: Site, places: Sequence[Site]) -> str:
    others = [site for site in places if site.standing > Standing.HOLLOW and site.cell != last.cell]
    if last.standing <= Standing.HOLLOW or not others:
        return ""
    form = identity(last)
    earlier = next((site for site in others if identity(site) != form), None)
    if earlier is None:
        return ""
    return (
        f"{file}: `{last.name}` is defined in cell {earlier.cell} and again, differently, in cell {last.cell}; "
        f"the last one, in cell {last.cell}, counts"
    )
