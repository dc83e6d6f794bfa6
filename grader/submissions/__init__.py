"""Finding and reading work: from paths to a `Submission`, without running any of it.

`read_submission` is the way in: discover the files, read each, decide which definition counts, assemble the program.
Work as people write it is read here, in milliseconds; what is unusually much goes to a process of its own, with limits.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from grader.submissions.discovery import Discovery, Found, discover
from grader.submissions.forms import normal_form
from grader.submissions.pace import ElsewhereError, PaceHere
from grader.submissions.records import Asked, Definition, FunctionState, Submission, SubmittedFile
from grader.submissions.sites import normal_forms
from grader.submissions.steps import read_found

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


def read_submission(
    paths: Sequence[Path],
    asked: Asked,
    leave_out: Sequence[Path] = (),
    names: Mapping[Path, str] = MappingProxyType({}),
) -> Submission:
    """Read one person's work.

    Parameters
    ----------
    paths : sequence of Path
        Files and folders; together they are one submission.
    asked : Asked
        The names that the exercises ask for.
    leave_out : sequence of Path
        Folders below the paths that are no part of the work.
    names : mapping of Path to str
        The students' own names of paths that a platform renamed.

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
    GraderError
        The process that reads unusually large work was ended from outside, or could not be started.
    """
    found = discover(paths, leave_out, names)
    try:
        return read_found(found, asked, PaceHere(len(found.files), sum(file.size for file in found.files)))
    except ElsewhereError:
        from grader.submissions.apart import read_apart

        return read_apart(found, asked)
