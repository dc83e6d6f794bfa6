"""Finding and reading work: from paths to a `Submission`, without running any of it.

`read_submission` is the way in: discover the files, read each, decide which definition counts, assemble the program.
"""

from collections.abc import Sequence
from pathlib import Path

from grader.errors import NothingToGradeError
from grader.submissions.choice import choose, survey_files
from grader.submissions.definitions import normal_form, normal_forms
from grader.submissions.discovery import Discovery, Found, discover, enumerate_names, tell_skipped
from grader.submissions.program import assemble
from grader.submissions.reading import read_sources
from grader.submissions.records import Asked, Definition, FunctionState, Submission, SubmittedFile

__all__ = [
    "Asked",
    "Definition",
    "Discovery",
    "Found",
    "FunctionState",
    "Submission",
    "SubmittedFile",
    "discover",
    "normal_form",
    "normal_forms",
    "read_submission",
]

MAX_NOTES = 20  # on one file


def read_submission(paths: Sequence[Path], asked: Asked, leave_out: Sequence[Path] = ()) -> Submission:
    """Read one person's work.

    Parameters
    ----------
    paths : sequence of Path
        Files and folders; together they are one submission.
    asked : Asked
        The names that the exercises ask for.
    leave_out : sequence of Path
        Folders below the paths that are no part of the work.

    Returns
    -------
    Submission
        With conflicts and unreadable files told in `definitions`; the caller decides what they mean.

    Raises
    ------
    UsageError
        A path does not exist or cannot be read.
    NothingToGradeError
        No file is Python, or none has an asked-for name.
    """
    found = discover(paths, leave_out)
    sources = read_sources(found.files)
    surveys = survey_files(sources, asked)
    definitions = choose(surveys, asked)
    if all(d.state is FunctionState.MISSING and not d.cause for d in definitions.values()):
        raise NothingToGradeError(_tell_nothing(found, asked))
    assembly = assemble(surveys, definitions, asked)
    notes = [note for survey in surveys for note in _shorten(survey.source.name, [*survey.source.notes, *survey.notes])]
    notes += [*tell_skipped(found.skipped), *assembly.notes]
    return Submission(
        path=found.label,
        files=tuple(SubmittedFile(source.name, source.sha256) for source in sources),
        program=assembly.program,
        definitions=definitions,
        notes=tuple(dict.fromkeys(notes)),
        skipped=found.skipped,
    )


def _shorten(file: str, notes: Sequence[str]) -> list[str]:
    if len(notes) <= MAX_NOTES:
        return list(notes)
    return [*notes[:MAX_NOTES], f"{file}: {len(notes) - MAX_NOTES} further notes are left out"]


def _tell_nothing(found: Discovery, asked: Asked) -> str:
    shown = enumerate_names([file.name for file in found.files])
    wanted = ", ".join(f"`{name}`" for name in list(asked.stems)[:3])
    return f"{found.label} has none of the functions that the exercises ask for ({wanted}, ...); looked at {shown}"
