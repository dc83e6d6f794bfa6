"""The steps of reading: from the files that were found to a `Submission`."""

from collections.abc import Iterable, Sequence

from grader.errors import NothingToGradeError
from grader.submissions.choice import choose
from grader.submissions.discovery import Discovery
from grader.submissions.flags import OLD_COPY
from grader.submissions.labels import enumerate_names
from grader.submissions.pace import Pace
from grader.submissions.prints import take_print
from grader.submissions.program import assemble
from grader.submissions.reading import read_sources
from grader.submissions.reasons import explains, is_notebook_name, tell_skipped
from grader.submissions.records import Asked, Definition, FunctionState, Print, Source, Submission, SubmittedFile
from grader.submissions.surveys import Survey, survey_files

MAX_NOTES = 20  # on one file
MAX_TOGETHER = 200  # on all of them


def read_found(found: Discovery, asked: Asked, pace: Pace) -> Submission:
    """Read the files of one submission.

    Parameters
    ----------
    found : Discovery
        The files.
    asked : Asked
        The names that the exercises ask for.
    pace : Pace
        Says what is read and what is not.

    Returns
    -------
    Submission
        See `read_submission`.

    Raises
    ------
    NothingToGradeError
        No file has an asked-for name.
    """
    sources = read_sources(found.files, pace)
    # A file that was left out is part of the work all the same: what nobody finds may have been in it.
    unread = [
        Source(name, "", is_notebook_name(name), fault=f"was not read: {reason}")
        for name, reason in found.skipped
        if explains(name, reason)
    ]
    surveys = survey_files([*sources, *unread], asked)
    definitions = choose(surveys, asked)
    if all(d.state is FunctionState.MISSING and not d.cause for d in definitions.values()):
        raise NothingToGradeError(_tell_nothing(found, asked))
    assembly = assemble(surveys, definitions, asked)
    notes = _tell_old_copies(definitions.values())
    notes += [
        note
        for survey in surveys[: len(sources)]  # the others are told with what was skipped
        for note in _shorten([*survey.source.notes, *survey.notes], MAX_NOTES, f"{survey.source.name}: ")
    ]
    notes = list(dict.fromkeys([*notes, *tell_skipped(found.skipped), *assembly.notes]))
    return Submission(
        path=found.label,
        files=tuple(SubmittedFile(source.name, source.sha256) for source in sources),
        program=assembly.program,
        definitions=definitions,
        notes=tuple(_shorten(notes, MAX_TOGETHER)),
        skipped=found.skipped,
        prints=_take_prints(surveys, definitions.values()),
    )


def _take_prints(surveys: Sequence[Survey], definitions: Iterable[Definition]) -> tuple[Print, ...]:
    sites = {survey.source.name: survey.last for survey in surveys}
    chosen = [d for d in definitions if d.state is FunctionState.DEFINED and d.file]
    prints = (take_print(sites[d.file][d.name]) for d in chosen if d.file)
    return tuple(one for one in prints if one is not None)


def _tell_old_copies(definitions: Iterable[Definition]) -> list[str]:
    names: dict[str, list[str]] = {}
    for definition in definitions:
        if definition.flag == OLD_COPY:
            names.setdefault(definition.cause, []).append(f"`{definition.name}`")
    return [f"{enumerate_names(functions)}: {cause}" for cause, functions in names.items()]


def _shorten(notes: Sequence[str], most: int, about: str = "") -> list[str]:
    if len(notes) <= most:
        return list(notes)
    return [*notes[:most], f"{about}{len(notes) - most} further notes are left out"]


def _tell_nothing(found: Discovery, asked: Asked) -> str:
    shown = enumerate_names([file.name for file in found.files])
    wanted = ", ".join(f"`{name}`" for name in list(asked.stems)[:3])
    return f"{found.label} has none of the functions that the exercises ask for ({wanted}, ...); looked at {shown}"
