"""The files that students fill in, generated from the solutions: one script an exercise and one notebook of all.

`solution.py` says what is kept and what is taken out. The same solutions give the same bytes on every machine, and a
notebook opened and saved again differs in nothing but what was changed.
"""

import difflib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from grader.authoring.solution import Exercise, read_exercise

NOTEBOOK = "attention.ipynb"

SCRIPT_NOTE = """\
Replace each `raise NotImplementedError` and each empty constant. `python {stem}.py` runs the checks at the
end of this file, `grade .` gives the marks. Arguments are passed by position; functions of your own are welcome."""

NOTEBOOK_NOTE = """\
# Attention in NumPy

Replace each `raise NotImplementedError` and each empty constant. The cell at the end of an exercise checks a few
things without the grader; `grade .` in a terminal gives the marks. Arguments are passed by position; functions of
your own are welcome in any cell. Where a name is defined twice, the last definition counts.

The theory, the worked example and the points are in `README.md`."""


def generate_stubs(solutions: Path, asked: Mapping[str, Sequence[str]]) -> dict[str, bytes]:
    """Make all student files.

    Parameters
    ----------
    solutions : Path
        Folder of the solution files.
    asked : mapping of str to sequence of str
        For each exercise's stem the names asked for, in the order in which they stand in the stub. The exercises
        stand in the notebook in the order of this mapping.

    Returns
    -------
    dict of str to bytes
        File name to content: `<stem>.py` for each exercise, and the notebook.

    Raises
    ------
    CourseError
        Where a solution is missing or cannot be read, or something asked for is not in it.
    """
    exercises = [read_exercise(stem, solutions, asked) for stem in asked]
    files = {f"{exercise.stem}.py": _render_script(exercise) for exercise in exercises}
    files[NOTEBOOK] = _render_notebook(exercises)
    return {name: text.encode("utf-8") for name, text in files.items()}


def check_stubs(solutions: Path, assignments: Path, asked: Mapping[str, Sequence[str]]) -> str:
    """Compare the student files on disk with those that the solutions give.

    Returns
    -------
    str
        A unified diff from the files on disk to the generated ones; empty where they are in step.
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
        The files written; empty where nothing had to change.
    """
    assignments.mkdir(parents=True, exist_ok=True)
    written = []
    for name, content in generate_stubs(solutions, asked).items():
        path = assignments / name
        if not path.is_file() or path.read_bytes() != content:
            path.write_bytes(content)
            written.append(path)
    return written


def _render_script(exercise: Exercise) -> str:
    docstring = f'"""{exercise.task}\n\n{SCRIPT_NOTE.format(stem=exercise.stem)}\n"""'
    head = [docstring, _group(exercise.imports), "\n".join(exercise.sibling_imports), "\n".join(exercise.given)]
    # Two blank lines around functions, one between groups of imports: as a formatter would leave the file.
    parts = ["\n\n".join(part for part in head if part), *exercise.answers.values(), exercise.checks]
    return "\n\n\n".join(part for part in parts if part) + "\n"


def _render_notebook(exercises: Sequence[Exercise]) -> str:
    cells = [_render_cell("markdown", "start", NOTEBOOK_NOTE)]
    # All names live in one namespace, so imports from another exercise's file have no place here.
    imports = _group(line for exercise in exercises for line in exercise.imports)
    cells.append(_render_cell("code", "imports", imports))
    for exercise in exercises:
        cells.extend(_render_cells(exercise))
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


def _render_cells(exercise: Exercise) -> Iterator[dict[str, Any]]:
    title, _, text = exercise.task.partition("\n")
    yield _render_cell("markdown", f"{exercise.stem}-task", f"## {title.rstrip('.')}\n{text}")
    if exercise.given:
        yield _render_cell("code", f"{exercise.stem}-given", "\n".join(exercise.given))
    for name, stub in exercise.answers.items():
        yield _render_cell("code", f"{exercise.stem}-{name}", stub)
    if exercise.checks:
        yield _render_cell("code", f"{exercise.stem}-checks", exercise.checks)


def _group(imports: Iterable[str]) -> str:
    """Put import lines in order, each once: the standard library, a blank line, everything else."""
    distinct = sorted(set(imports), key=lambda line: (line.startswith("from"), line))
    own = [line for line in distinct if line.split()[1].partition(".")[0] in sys.stdlib_module_names]
    foreign = [line for line in distinct if line not in own]
    return "\n\n".join("\n".join(group) for group in (own, foreign) if group)


def _render_cell(kind: str, name: str, source: str) -> dict[str, Any]:
    # The id is made of names, not drawn at random: two runs give the same file.
    cell = {"cell_type": kind, "id": name, "metadata": {}, "source": source.splitlines(keepends=True)}
    return cell | {"execution_count": None, "outputs": []} if kind == "code" else cell
