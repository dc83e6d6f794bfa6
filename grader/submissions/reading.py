"""From a found file to a `Source`: bytes, text, cells and syntax trees, and every fault on the way as a sentence."""

import codecs
import hashlib
from collections.abc import Sequence

from grader.submissions.characters import one_line
from grader.submissions.discovery import Found
from grader.submissions.magics import Stripped, strip_magics
from grader.submissions.notebook import NotebookCell, read_notebook
from grader.submissions.parsing import MAX_CODE, UnreadableError, decode_anyhow, parse
from grader.submissions.records import Piece, Prose, Source
from grader.submissions.script import decode_script, read_script

# Characters of code in one notebook and in one submission: some seconds of parsing and a gigabyte at the very worst.
MAX_NOTEBOOK_CODE = 4 * MAX_CODE
MAX_SUBMISSION_CODE = 8 * MAX_CODE


def read_sources(files: Sequence[Found]) -> list[Source]:
    """Read files in their order, until there is too much code; those after that are not read, and say so."""
    sources: list[Source] = []
    total = 0
    for found in files:
        if total > MAX_SUBMISSION_CODE:
            fault = f"was not read: the files before it hold more than {MAX_SUBMISSION_CODE} characters of code"
            sources.append(Source(found.name, "", found.notebook, fault=fault))
            continue
        sources.append(read_source(found))
        total += sum(len(piece.text) for piece in sources[-1].pieces)
    return sources


def read_source(found: Found) -> Source:
    """Read one file. A file that cannot be read gives a `Source` with a fault, never an exception.

    Parameters
    ----------
    found : Found
        A file from `discovery.discover`.

    Returns
    -------
    Source
        Its pieces in order.
    """
    try:
        raw = found.path.read_bytes()
    except OSError as error:
        return Source(found.name, "", found.notebook, fault=f"cannot be read ({error.strerror})")
    return read_bytes(found.name, raw, notebook=found.notebook)


def read_bytes(name: str, raw: bytes, *, notebook: bool) -> Source:
    """Read one file's content; see `read_source`."""
    digest = hashlib.sha256(raw).hexdigest()
    try:
        if notebook:
            return _read_misnamed_script(name, digest, raw) or _read_notebook(name, digest, raw)
        text, encoding = decode_script(raw)
        if text.lstrip().startswith("{") and '"nbformat"' in text:
            source = _read_notebook(name, digest, raw)
            note = f"{name} is a notebook with a script's name, and was read as a notebook"
            return source._replace(notes=(*source.notes, note))
        return _read_script(name, digest, text, encoding)
    except UnreadableError as error:
        return Source(name, digest, notebook, fault=one_line(str(error)), text=decode_anyhow(raw))


def _read_script(name: str, digest: str, text: str, *notes: str) -> Source:
    script = read_script(text)
    told = tuple(f"{name} {note}" for note in (*script.notes, *notes) if note)
    return Source(name, digest, notebook=False, pieces=(script.piece,), notes=told)


def _read_misnamed_script(name: str, digest: str, raw: bytes) -> Source | None:
    """Read a script that was saved with a notebook's name, which Jupyter itself could not open."""
    if (
        raw.lstrip(codecs.BOM_UTF8 + b" \t\r\n")[:1] in {b"{", b"[", b"<", b""}
        or b"def " not in raw
        or len(raw) > MAX_CODE
    ):
        return None
    source = _read_script(
        name, digest, decode_script(raw)[0], "is a script with a notebook's name, and was read as a script"
    )
    return source if source.pieces[0].tree is not None else None


def _read_notebook(name: str, digest: str, raw: bytes) -> Source:
    notebook = read_notebook(raw)
    pieces: list[Piece] = []
    prose: list[Prose] = []
    modules: list[str] = []
    told = map(one_line, notebook.notes)
    notes = [f"{name}: {note}" if note.startswith("cell ") else f"{name} {note}" for note in told]
    length = 0
    for cell in notebook.cells:
        if cell.kind != "code":
            prose.append(Prose(cell.source, cell.number, f"a {cell.kind} cell"))
            continue
        length += len(cell.source)
        if length > MAX_NOTEBOOK_CODE:
            fault = f"the notebook holds more than {MAX_NOTEBOOK_CODE} characters of code"
            pieces.append(Piece(cell.source[:MAX_CODE], None, cell.number, fault))
            continue
        piece, plain = _read_cell(cell)
        if plain.dropped:
            magic = one_line(plain.dropped)
            prose.append(Prose(cell.source, cell.number, f"a {magic} cell"))
            notes.append(f"{name}: cell {cell.number} is {magic} and was not run")
            continue
        pieces.append(piece)
        modules += [plain.module] if plain.module else []
    return Source(
        name,
        digest,
        notebook=True,
        pieces=tuple(pieces),
        prose=tuple(prose),
        modules=tuple(dict.fromkeys(modules)),
        notes=tuple(notes),
    )


def _read_cell(cell: NotebookCell) -> tuple[Piece, Stripped]:
    """Parse a cell as it is; only where that fails, look for notebook syntax in it."""
    fault = ""
    if not cell.source.lstrip().startswith("In ["):  # a pasted prompt, although `In [3]: x = 1` is an annotation
        try:
            return Piece(cell.source, parse(cell.source), cell.number), Stripped(cell.source)
        except UnreadableError as error:
            fault = str(error)
    plain = strip_magics(cell.source) if len(cell.source) <= MAX_CODE else Stripped(cell.source)
    if plain.text != cell.source or not fault:
        try:
            return Piece(plain.text, parse(plain.text), cell.number), plain
        except UnreadableError as error:
            fault = str(error)
    return Piece(plain.text, None, cell.number, fault), plain
