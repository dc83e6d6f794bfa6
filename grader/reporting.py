"""Make the report of one submission from its judged results, or from the fault that kept it from being judged.

pydantic is imported where a report is made and not with this module. By then the child that runs the work has been
started, and imports NumPy meanwhile.
"""

import hashlib
import platform
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal, NamedTuple

from grader import __version__
from grader.calls import Ended, Run
from grader.errors import GraderError
from grader.exercises import chosen_exercises
from grader.key.label import KeyLabel
from grader.settings import Settings
from grader.submissions import Submission

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.report import ExerciseResult, Report


# Named tuples: every run pays for this module, and a data class takes longer to make.
class Person(NamedTuple):
    """Whose work it is, as far as the caller knows."""

    student: str | None = None
    attempt: int | None = None
    late: Literal["yes", "no", "unknown"] = "unknown"


class Subject(NamedTuple):
    """The subject of a report: whose work, judged by which answer key, under which settings."""

    submission: Submission
    key: KeyLabel
    settings: Settings
    person: Person = Person()


def make_report(subject: Subject, results: "Sequence[ExerciseResult]", run: Run | None = None) -> "Report":
    """Return the report of work that was judged. Work in which nothing is started was judged without a run."""
    return _write(subject, results=results, run=run)


def report_fault(subject: Subject, fault: str | Exception) -> "Report":
    """Return the report of work on which the grader failed: it has no score, which is not a zero, but the reason."""
    return _write(subject, error=fault if isinstance(fault, str) else _describe_fault(fault))


def _write(
    subject: Subject,
    *,
    results: "Sequence[ExerciseResult]" = (),
    run: Run | None = None,
    error: str | None = None,
) -> "Report":
    from grader.report import FileRecord, GraderInfo, PrintRecord, Report, SubmissionInfo

    submission, key, settings, person = subject
    notes = [*submission.notes, *(() if run is None else _describe_run(run, submission))]
    return Report(
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        status="graded" if error is None else "grader_error",
        error=error,
        grader=GraderInfo(
            version=__version__, python=platform.python_version(), numpy=_numpy_version(), platform=platform.system()
        ),
        seed=key.seed,
        key_digest=key.digest,
        receipt=make_receipt(submission, key.digest),
        submission=SubmissionInfo(
            student=person.student,
            attempt=person.attempt,
            late=person.late,
            path=submission.path,
            files=tuple(FileRecord(name=file.name, sha256=file.sha256) for file in submission.files),
            notes=tuple(dict.fromkeys(notes)),
            # One person's own work is compared with nobody's.
            prints=() if person.student is None else tuple(PrintRecord(**one._asdict()) for one in submission.prints),
        ),
        isolation={} if run is None else dict(run.isolation),
        score=None if error is not None else sum(result.score for result in results),
        max_score=sum(exercise.max_score for exercise in chosen_exercises(settings.exercises)),
        pending_score=sum(result.pending_score for result in results),
        exercises=tuple(results),
    )


def make_receipt(submission: Submission, key_digest: str) -> str:
    """Return the short hash over the submission's bytes, the key and the grader's version."""
    digest = hashlib.sha256(f"{__version__} {key_digest}".encode())
    for file in sorted(submission.files, key=lambda file: file.name):
        digest.update(f"{file.name}\0{file.sha256}\0".encode())
    text = digest.hexdigest()
    return "-".join(text[k : k + 4] for k in range(0, 12, 4))


def _describe_run(run: Run, submission: Submission) -> list[str]:
    """Return notes on the run: placeholders, and code that failed but left functions to judge."""
    from grader.judging.endings import describe_load

    lost = (Ended.LOST, Ended.MISSING)
    alive = {name.partition("/")[0] for name, reply in run.replies.items() if reply.ended not in lost}
    files = {submission.definitions[name].file for name in alive if name in submission.definitions}
    notes = list(run.notes)
    for load in run.loads:
        if load.cell is not None:
            notes.append(describe_load(load))
        elif load.file in files:
            advice = 'what was defined before that is judged. Such lines belong under `if __name__ == "__main__":`'
            notes.append(f"{describe_load(load).removesuffix('.')}; {advice}")
    return notes


def _describe_fault(error: Exception) -> str:
    """Return a fault of ours in one line; a report names no folder of this machine."""
    if isinstance(error, GraderError):
        return str(error)
    # The text of an OSError holds the whole path.
    reason = error.strerror if isinstance(error, OSError) else str(error).partition("\n")[0]
    said = f": {reason}" if reason else ""
    return f"The grader failed while judging this work: {type(error).__name__}{said}"


def _numpy_version() -> str:
    loaded = sys.modules.get("numpy")
    if loaded is not None:
        return str(loaded.__version__)
    # Work that is not run needs no NumPy, and importing it would take longer than all the rest.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("numpy")
    except PackageNotFoundError:
        return "unknown"
