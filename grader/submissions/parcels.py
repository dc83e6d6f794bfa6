"""What travels between `apart` and the process that reads for it: plain data, as JSON."""

import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from grader.calls import Cell, Program, Unit
from grader.submissions.discovery import Discovery, Found
from grader.submissions.pace import Place
from grader.submissions.records import Asked, Definition, FunctionState, Print, Submission, SubmittedFile


def pack_request(
    found: Discovery, asked: Asked, refused: Mapping[Place, str], known: Collection[Place] | None
) -> dict[str, Any]:
    """Return what is to be read; see `pace.Pace` for the last two."""
    return {
        "label": found.label,
        "files": [[os.fsencode(file.path).hex(), file.name, file.notebook, file.size] for file in found.files],
        "skipped": found.skipped,
        "stems": dict(asked.stems),
        "stubs": dict(asked.stubs),
        "refused": [[*place, reason] for place, reason in refused.items()],
        "known": None if known is None else sorted(known),
    }


def unpack_request(packed: Mapping[str, Any]) -> tuple[Discovery, Asked, dict[Place, str], set[Place] | None]:
    """Return what `pack_request` was given."""
    files = tuple(
        Found(Path(os.fsdecode(bytes.fromhex(path))), name, notebook, size)
        for path, name, notebook, size in packed["files"]
    )
    found = Discovery(packed["label"], files, tuple((name, reason) for name, reason in packed["skipped"]))
    refused = {(file, piece): reason for file, piece, reason in packed["refused"]}
    known = None if packed["known"] is None else {(file, piece) for file, piece in packed["known"]}
    return found, Asked(packed["stems"], packed["stubs"]), refused, known


def pack_submission(submission: Submission) -> dict[str, Any]:
    """Return a submission as lists and dicts."""
    program = submission.program
    return {
        "path": submission.path,
        "files": submission.files,
        "units": program.units,
        "run": program.run,
        "homes": dict(program.homes),
        "stubs": program.stubs,
        "absent": program.absent,
        "definitions": list(submission.definitions.values()),
        "notes": submission.notes,
        "skipped": submission.skipped,
        "prints": submission.prints,
    }


def unpack_submission(packed: Mapping[str, Any]) -> Submission:
    """Return what `pack_submission` was given."""
    units = tuple(
        Unit(module, file, tuple(Cell(*cell) for cell in cells), tuple(aliases), *rest)
        for module, file, cells, aliases, *rest in packed["units"]
    )
    program = Program(
        units,
        tuple(packed["run"]),
        packed["homes"],
        tuple((module, name) for module, name in packed["stubs"]),
        tuple(packed["absent"]),
    )
    definitions = (
        Definition(name, FunctionState(state), file, line, cell, cause, FunctionState(otherwise), flag)
        for name, state, file, line, cell, cause, otherwise, flag in packed["definitions"]
    )
    return Submission(
        packed["path"],
        tuple(SubmittedFile(*file) for file in packed["files"]),
        program,
        {definition.name: definition for definition in definitions},
        tuple(packed["notes"]),
        tuple((name, reason) for name, reason in packed["skipped"]),
        tuple(Print(*one) for one in packed["prints"]),
    )
