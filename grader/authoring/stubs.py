"""Generate the files that students fill in from the solutions: a script for each exercise, and one notebook of all.

`solution.py` says what is kept and what is taken out. The same solutions give the same bytes on every machine, and a
notebook that is opened and saved again differs in nothing but what its reader changed.
"""

import difflib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from grader.authoring.solution import StudentFile, read_student_file

NOTEBOOK = "attention.ipynb"

SCRIPT_NOTE = """\
Replace each `raise NotImplementedError` and each empty constant. `python {stem}.py` runs the checks at the
end of this file, and `grade .` marks your work. The grader passes arguments by position. You may add functions.
The theory, the worked example and the points are in `README.md`."""

NOTEBOOK_NOTE = """\
# Attention in NumPy

Replace each `raise NotImplementedError` and each empty constant. The last cell of each exercise checks a few things
without the grader; `grade .` in a terminal marks your work. The grader passes arguments by position. You may add
functions in any cell. If you define a name twice, the last definition counts.

The theory, the worked example and the points are in `README.md`."""


def generate_stubs(solutions: Path, asked: Mapping[str, Sequence[str]]) -> dict[str, bytes]:
    """Return all student files.

    Parameters
    ----------
    solutions : Path
        Folder of the solution files.
    asked : mapping of str to sequence of str
        For each exercise's stem the names that it asks for, in the order in which they stand in the stub. The
        exercises stand in the notebook in the order of this mapping.

    Returns
    -------
    dict of str to bytes
        File name to content: `<stem>.py` for each exercise, and the notebook.

    Raises
    ------
    CourseError
        Where a solution is missing or cannot be read, or something asked for is not in it.
    """
    files = [read_student_file(stem, solutions, asked) for stem in asked]
    sources = {f"{file.stem}.py": _render_script(file) for file in files}
    sources[NOTEBOOK] = _render_notebook(files)
    return {name: source.encode("utf-8") for name, source in sources.items()}


def check_stubs(solutions: Path, assignments: Path, asked: Mapping[str, Sequence[str]]) -> str:
    """Compare the student files on disk with those that the solutions give.

    Returns
    -------
    str
        A unified diff from the files on disk to the generated ones, or "" where they are in step.
    """
    diff: list[str] = []
    for name, wanted in generate_stubs(solutions, asked).items():
        path = assignments / name
        present = path.read_bytes() if path.is_file() else b""
        if present != wanted:
            before, after = (each.decode("utf-8", "replace").splitlines(keepends=True) for each in (present, wanted))
            diff += difflib.unified_diff(before, after, f"assignments/{name}", f"assignments/{name} (generated)")
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in diff)


def write_stubs(solutions: Path, assignments: Path, asked: Mapping[str, Sequence[str]]) -> list[Path]:
    """Write the student files that are missing or out of step.

    Returns
    -------
    list of Path
        The files that were written; none where nothing had to change.
    """
    assignments.mkdir(parents=True, exist_ok=True)
    written = []
    for name, content in generate_stubs(solutions, asked).items():
        path = assignments / name
        if not path.is_file() or path.read_bytes() != content:
            path.write_bytes(content)
            written.append(path)
    return written


def _render_script(file: StudentFile) -> str:
    docstring = f'"""{file.task}\n\n{SCRIPT_NOTE.format(stem=file.stem)}\n"""'
    head = [docstring, _group(file.imports), "\n".join(file.sibling_imports), "\n".join(file.given)]
    # Two blank lines around functions, one between groups of imports: as a formatter would leave the file.
    parts = ["\n\n".join(part for part in head if part), *file.answers.values(), file.checks]
    return "\n\n\n".join(part for part in parts if part) + "\n"


def _render_notebook(files: Sequence[StudentFile]) -> str:
    cells = [_render_cell("markdown", "start", NOTEBOOK_NOTE)]
    # All names live in one namespace, so imports from another exercise's file have no place here.
    imports = _group(line for file in files for line in file.imports)
    cells.append(_render_cell("code", "imports", imports))
    for file in files:
        cells.extend(_render_cells(file))
    notebook = {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _render_cells(file: StudentFile) -> Iterator[dict[str, Any]]:
    title, _, text = file.task.partition("\n")
    yield _render_cell("markdown", f"{file.stem}-task", f"## {title.rstrip('.')}\n{text}")
    if file.given:
        yield _render_cell("code", f"{file.stem}-given", "\n".join(file.given))
    for name, stub in file.answers.items():
        yield _render_cell("code", f"{file.stem}-{name}", stub)
    if file.checks:
        yield _render_cell("code", f"{file.stem}-checks", file.checks)


def _group(imports: Iterable[str]) -> str:
    """Return import lines in order, each once: the standard library, a blank line, everything else."""
    distinct = sorted(set(imports), key=lambda line: (line.startswith("from"), line))
    own = [line for line in distinct if line.split()[1].partition(".")[0] in sys.stdlib_module_names]
    foreign = [line for line in distinct if line not in own]
    return "\n\n".join("\n".join(group) for group in (own, foreign) if group)


def _render_cell(kind: str, name: str, source: str) -> dict[str, Any]:
    # The id is made of names, not drawn at random: two runs give the same file.
    cell = {"cell_type": kind, "id": name, "metadata": {}, "source": source.splitlines(keepends=True)}
    return cell | {"execution_count": None, "outputs": []} if kind == "code" else cell
