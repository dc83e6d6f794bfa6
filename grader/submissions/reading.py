"""From found files to `Source`s: bytes, text, cells and syntax trees, and every fault on the way as a sentence.

All files are opened before any code is parsed, and the smallest pieces are parsed first: answers are short, and what
takes too long or too much memory then costs nobody an answer but the one in it.
"""

import codecs
import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from grader.submissions.characters import one_line
from grader.submissions.discovery import MAX_NOTEBOOK, MAX_SCRIPT, Found
from grader.submissions.notebook import read_notebook
from grader.submissions.opening import hash_plain_file, read_plain_file
from grader.submissions.pace import Pace
from grader.submissions.parsing import UnreadableError, decode, decode_anyhow
from grader.submissions.pieces import Parsed, parse_cell, parse_script
from grader.submissions.records import Piece, Prose, Source


class Opened(NamedTuple):
    """One file before its code is parsed.

    `texts` holds the number of the cell (None for a script) and the code. With a `fault` the file cannot be read, and
    `text` is the best that is left of it; `otherwise` is its fault where the code does not parse.
    """

    name: str
    sha256: str
    notebook: bool
    texts: tuple[tuple[int | None, str], ...] = ()
    prose: tuple[Prose, ...] = ()
    notes: tuple[str, ...] = ()
    fault: str = ""
    otherwise: str = ""
    text: str = ""


def read_sources(files: Sequence[Found], pace: Pace) -> list[Source]:
    """Read files; the sources are in the order of the files.

    Parameters
    ----------
    files : sequence of Found
        From `discovery.discover`.
    pace : Pace
        Says what is read and what is not.

    Returns
    -------
    list of Source
        A file that cannot be read gives a `Source` with a fault, never an exception.
    """
    return parse_opened([_open(number, found, pace) for number, found in enumerate(files)], pace)


def _open(number: int, found: Found, pace: Pace) -> Opened:
    if reason := pace.refuse((number, -1), found.size):
        # The hash says which work was graded, whether it could be read or not.
        return Opened(found.name, hash_plain_file(found.path), found.notebook, fault=f"was not read: {reason}")
    try:
        raw = read_plain_file(found.path, MAX_NOTEBOOK if found.notebook else MAX_SCRIPT)
    except OSError as error:
        return Opened(found.name, "", found.notebook, fault=f"cannot be read ({error.strerror})")
    return open_bytes(found.name, raw, notebook=found.notebook)


def open_bytes(name: str, raw: bytes, *, notebook: bool) -> Opened:
    """Take one file's content apart; see `Opened`."""
    digest = hashlib.sha256(raw).hexdigest()
    try:
        if notebook:
            return _open_misnamed_script(name, digest, raw) or _open_notebook(name, digest, raw)
        text, encoding = decode(raw, cookie=True)
        if text.lstrip().startswith("{") and '"nbformat"' in text:
            opened = _open_notebook(name, digest, raw)
            note = f"{name} is a notebook with a script's name, and was read as a notebook"
            return opened._replace(notes=(*opened.notes, note))
        notes = (f"{name} {encoding}",) if encoding else ()
        return Opened(name, digest, notebook=False, texts=((None, text),), notes=notes)
    except UnreadableError as error:
        return Opened(name, digest, notebook, fault=one_line(str(error)), text=decode_anyhow(raw))
    except MemoryError:
        return Opened(name, digest, notebook, fault="was not read: it needs too much memory")


def _open_misnamed_script(name: str, digest: str, raw: bytes) -> Opened | None:
    """Open a script that was saved with a notebook's name, which Jupyter itself could not open."""
    if (
        raw.lstrip(codecs.BOM_UTF8 + b" \t\r\n")[:1] in {b"{", b"[", b"<", b""}
        or b"def " not in raw
        or len(raw) > MAX_SCRIPT
    ):
        return None
    text = decode(raw, cookie=True)[0]
    try:
        read_notebook(raw)
    except UnreadableError as error:
        otherwise = one_line(str(error))
    else:
        return None
    note = f"{name} is a script with a notebook's name, and was read as a script"
    return Opened(name, digest, notebook=False, texts=((None, text),), notes=(note,), otherwise=otherwise, text=text)


def _open_notebook(name: str, digest: str, raw: bytes) -> Opened:
    notebook = read_notebook(raw)
    told = map(one_line, notebook.notes)
    return Opened(
        name,
        digest,
        notebook=True,
        texts=tuple((cell.number, cell.source) for cell in notebook.cells if cell.kind == "code"),
        prose=tuple(
            Prose(cell.source, cell.number, f"a {cell.kind} cell") for cell in notebook.cells if cell.kind != "code"
        ),
        notes=tuple(f"{name}: {note}" if note.startswith("cell ") else f"{name} {note}" for note in told),
    )


def parse_opened(files: Sequence[Opened], pace: Pace) -> list[Source]:
    """Parse the code of opened files, the shortest piece first."""
    jobs = [(len(text), i, j) for i, file in enumerate(files) for j, (_, text) in enumerate(file.texts)]
    parsed: dict[tuple[int, int], Parsed] = {}
    for length, i, j in sorted(jobs):
        number, text = files[i].texts[j]
        if reason := pace.refuse((i, j), length):
            parsed[i, j] = Parsed(Piece(text, None, number, reason, unread=True))
        else:
            parsed[i, j] = parse_cell(text, number) if files[i].notebook else parse_script(text)
    return [_join(file, [parsed[i, j] for j in range(len(file.texts))]) for i, file in enumerate(files)]


def _join(file: Opened, parsed: Sequence[Parsed]) -> Source:
    """Put the pieces of one file together again."""
    if file.otherwise and any(one.piece.tree is None and not one.piece.unread for one in parsed):
        return Source(file.name, file.sha256, notebook=True, fault=file.otherwise, text=file.text)
    notes = [*file.notes, *(f"{file.name} {one.note}" for one in parsed if one.note)]
    prose = list(file.prose)
    for one in parsed:
        if one.dropped:
            magic = one_line(one.dropped)
            prose.append(Prose(one.piece.text, one.piece.number or 0, f"a {magic} cell"))
            notes.append(f"{file.name}: cell {one.piece.number} is {magic} and was not run")
    return Source(
        file.name,
        file.sha256,
        file.notebook,
        pieces=tuple(one.piece for one in parsed if not one.dropped),
        prose=tuple(sorted(prose, key=lambda cell: cell.number)),
        modules=tuple(dict.fromkeys(one.module for one in parsed if one.module)),
        notes=tuple(notes),
        fault=file.fault,
        text=file.text,
    )
