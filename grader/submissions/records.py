"""What reading a submission is told, and what it gives back."""

import ast
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from grader.calls import Program


class Asked(NamedTuple):
    """The names that the exercises ask for. Built by the caller from the exercises and the shipped stubs.

    Attributes
    ----------
    stems : mapping of str to str
        Asked-for name to the stem of its exercise, in the order of the exercises.
    stubs : mapping of str to str
        Asked-for name to the `definitions.normal_form` of what is shipped, computed by the running interpreter (the
        spelling of `ast.dump` differs between Python versions).
    """

    stems: Mapping[str, str]
    stubs: Mapping[str, str] = MappingProxyType({})


class FunctionState(StrEnum):
    """What became of one asked-for name."""

    DEFINED = "defined"
    UNTOUCHED = "untouched"  # nothing but the shipped stub
    MISSING = "missing"
    CONFLICT = "conflict"  # two different answers in two files
    UNREADABLE = "unreadable"  # the file or cell that holds it cannot be read
    POSSIBLE = "possible"  # the source shows nothing that counts, but running it may make one: only the child can tell


class Definition(NamedTuple):
    """Where one asked-for name is taken from.

    `cell` is the position in the notebook, counting every cell from 1 (code, markdown and raw alike); `line` counts
    from 1 in that cell, or in the script. `cause` is one sentence, for every state that needs an explanation.
    `otherwise` is the state of what is only possible, if running it makes nothing. `flag` is the reason why a person
    should look at it, where one of `flags` applies.
    """

    name: str
    state: FunctionState
    file: str | None = None
    line: int | None = None
    cell: int | None = None
    cause: str = ""
    otherwise: FunctionState = FunctionState.UNTOUCHED
    flag: str = ""


class SubmittedFile(NamedTuple):
    """One file that was read, by its name in the submission."""

    name: str
    sha256: str


class Print(NamedTuple):
    """The print of one answer (see `prints`): a hash of its code, and how much code that is, in nodes of its tree."""

    name: str
    digest: str
    size: int


class Submission(NamedTuple):
    """One person's work, read but not run. All names and the path are relative."""

    path: str
    files: tuple[SubmittedFile, ...]
    program: Program
    definitions: Mapping[str, Definition]
    notes: tuple[str, ...]
    skipped: tuple[tuple[str, str], ...]
    prints: tuple[Print, ...] = ()


class Piece(NamedTuple):
    """Code that runs as one: a cell, or a whole script (`number` is None). `tree` is None where it does not parse."""

    text: str
    tree: ast.Module | None
    number: int | None = None
    fault: str = ""  # why it does not parse: "line 3: SyntaxError: expected ':'"
    unread: bool = False  # nobody tried to parse it, and `fault` says why


class Prose(NamedTuple):
    """Text of a notebook that is not run, and how to call it: "a markdown cell", "a %%bash cell"."""

    text: str
    number: int
    kind: str


class Source(NamedTuple):
    """One file after reading. With a `fault` it could not be read, and `text` is the best that is left of it."""

    name: str
    sha256: str
    notebook: bool
    pieces: tuple[Piece, ...] = ()
    prose: tuple[Prose, ...] = ()
    modules: tuple[str, ...] = ()  # modules that `%%writefile` cells of a notebook stand for
    notes: tuple[str, ...] = ()
    fault: str = ""
    text: str = ""


def locate(file: str, cell: int | None = None, line: int | None = None) -> str:
    """Return words for a place: "third_key.py line 12", "attention.ipynb cell 3 line 5"."""
    place = file if cell is None else f"{file} cell {cell}"
    return place if line is None else f"{place} line {line}"
