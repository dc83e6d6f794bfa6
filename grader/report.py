"""The report of one submission: all that `feedback/` and `export/` see.

Every record is frozen and refuses unknown fields, on writing and on reading. The JSON holds no NaN or infinity
(numbers that are not finite travel as the words "nan", "inf", "-inf"), no absolute path, no host or login name.
"""

import json
import os
import re
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal, Self

# Nothing here uses pydantic's plugins, and looking for them reads the metadata of every installed package.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from grader.errors import UsageError
from grader.files import read_regular, write_atomically
from grader.inert import is_inert

SCHEMA_VERSION: Literal[1] = 1
_CLOSE = 1e-6  # points; sums of points differ in their last digits
_UNPRINTABLE = re.compile(r"[^\x20-\x7e\n]")  # most of these are harmless: `_escape` decides


class Outcome(StrEnum):
    """How one check, or one exercise, came out. A fault of the grader is not an outcome: see `Report.status`."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    TIMEOUT = "timeout"
    CRASHED = "crashed"
    MEMORY = "memory"
    MISSING = "missing"
    NOT_ATTEMPTED = "not_attempted"
    SKIPPED = "skipped"
    PENDING = "pending"


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class MistakeName(_Record):
    """A catalogue code and its title, as a linter names its rules."""

    code: str
    title: str


class Counterexample(_Record):
    """The smallest public probe that failed: Python source that runs alone, given as text.

    `call` is one expression, `inputs` binds the names it uses, `student` and `expected` are literals or words.
    With `secret`, the answer is a constant whose value a student must not read here.
    """

    call: str
    inputs: str
    student: str
    expected: str | None
    rung: str
    secret: bool = False


class ArrayEvidence(_Record):
    """Two arrays for a picture, the student's and the right one. Without a `max_error` they cannot be compared."""

    kind: Literal["arrays"] = "arrays"
    student: Any
    expected: Any
    max_error: float | None


class GradientEvidence(_Record):
    """The three verdicts on `attention_grad_q`, the first wrong link, and the error against the step size."""

    kind: Literal["gradient"] = "gradient"
    formula: bool | None
    consistency: bool | None
    carried: bool | None
    first_wrong_link: str | None
    error_by_step: tuple[tuple[float, float], ...] = ()
    slope: float | None = None


class TextEvidence(_Record):
    """A written answer, for the person who reads it."""

    kind: Literal["text"] = "text"
    text: str


Evidence = Annotated[ArrayEvidence | GradientEvidence | TextEvidence, Field(discriminator="kind")]


class CheckResult(_Record):
    """One check: an observation, the points that it earned, and the idea that is missing.

    A message on a passed check is a note. `inherited`: right on top of the student's own earlier work.
    `further_mistakes` are independent slips, found together with `mistake`. `hints` is a ladder (observation,
    experiment, idea). `flags` and `hidden_counterexample` are for the instructor.
    """

    name: str
    title: str
    function: str
    outcome: Outcome
    score: float
    max_score: float
    message: str = ""
    hints: tuple[str, ...] = ()
    mistake: MistakeName | None = None
    further_mistakes: tuple[MistakeName, ...] = ()
    location: str | None = None
    counterexample: Counterexample | None = None
    hidden_counterexample: Counterexample | None = None
    evidence: Evidence | None = None
    flags: tuple[str, ...] = ()
    inherited: bool = False
    seconds: float = 0.0

    @property
    def named_mistakes(self) -> tuple[MistakeName, ...]:
        """Return every mistake that explains the check: the first one, then the further ones."""
        return () if self.mistake is None else (self.mistake, *self.further_mistakes)


class Award(_Record):
    """Points that a person gave for a written answer."""

    points: float
    comment: str
    reviewer: str
    at: str


class ExerciseResult(_Record):
    """One exercise: its checks, in the order of its functions."""

    slug: str
    title: str
    outcome: Outcome
    score: float
    max_score: float
    pending_score: float
    awarded: Award | None = None
    checks: tuple[CheckResult, ...]


class GraderInfo(_Record):
    """The versions of grader, interpreter and NumPy that gave this report."""

    version: str
    python: str
    numpy: str
    platform: str


class FileRecord(_Record):
    """One file that was read, by its name inside the submission."""

    name: str
    sha256: str


class PrintRecord(_Record):
    """The print of one answer: a hash of its code, and how much code that is, in nodes of the syntax tree."""

    name: str
    digest: str
    size: int


class SubmissionInfo(_Record):
    """Whose work it is, as far as that is known, and what was read.

    `prints` are there for the work of a class only, where one work is compared with another.
    """

    student: str | None = None
    attempt: int | None = None
    late: Literal["yes", "no", "unknown"] = "unknown"
    path: str
    files: tuple[FileRecord, ...] = ()
    notes: tuple[str, ...] = ()
    prints: tuple[PrintRecord, ...] = ()


class Report(_Record):
    """Everything that is known about one graded submission (`schema_version` 1)."""

    schema_version: Literal[1] = SCHEMA_VERSION
    created_at: str
    status: Literal["graded", "grader_error"]
    error: str | None = None
    grader: GraderInfo
    seed: int | None
    key_digest: str
    receipt: str
    submission: SubmissionInfo
    isolation: dict[str, Any]
    score: float | None
    max_score: float
    pending_score: float
    exercises: tuple[ExerciseResult, ...]

    def for_student(self, *, keep_seed: bool = False, remark: str = "") -> Self:
        """Return the report without the parts that a student must not read: seed, hidden probes, constant answers.

        `remark` is a further note for the student, before all others. `keep_seed` is for a person's own run, whose
        seed that person chose or found in the package.
        """
        exercises = tuple(
            exercise.model_copy(update={"checks": tuple(_without_secrets(check) for check in exercise.checks)})
            for exercise in self.exercises
        )
        about = self.submission
        notes = (remark, *about.notes) if remark else about.notes
        changes = {"exercises": exercises, "seed": self.seed if keep_seed else None}
        return self.model_copy(update=changes | {"submission": about.model_copy(update={"notes": notes, "prints": ()})})


def _without_secrets(check: CheckResult) -> CheckResult:
    shown = check.counterexample
    changes: dict[str, Any] = {"flags": (), "hidden_counterexample": None}
    if shown is not None and shown.secret:
        changes["counterexample"] = shown.model_copy(update={"expected": None})
        changes["evidence"] = None
    return check.model_copy(update=changes)


def _escape(found: re.Match[str]) -> str:
    """Write a character out where it could drive a terminal or turn the order of a line around."""
    return found[0] if is_inert(found[0]) else json.dumps(found[0])[1:-1]


def dump_report(report: Report) -> str:
    """Return the report as JSON text that `load_report` accepts; the text ends with a newline."""
    # One person's own work is compared with nobody's: its report has no word about that.
    left_out = None if report.submission.prints else {"submission": {"prints"}}
    text = _UNPRINTABLE.sub(_escape, report.model_dump_json(indent=1, exclude=left_out)) + "\n"
    # Evidence may hold any value; one that cannot be read again has to fail here, not on the day of an appeal.
    Report.model_validate_json(text)
    return text


def write_report(report: Report, path: Path) -> None:
    """Write the report to `path` so that readers see the old file or the whole new one, never a part.

    Raise `GraderError` naming the file where it cannot be written (no folder, no space, no right).
    """
    write_atomically(path, dump_report(report).encode())


def find_contradiction(report: Report) -> str:
    """Return where the points of a report contradict each other; nothing where they do not.

    In no report that the grader wrote they do.
    """
    for exercise in report.exercises:
        for check in exercise.checks:
            if not -_CLOSE <= check.score <= check.max_score + _CLOSE:
                return f"{check.name} has {check.score:g} of {check.max_score:g} points"
        if contradiction := _compare(exercise, exercise.checks, exercise.slug, "checks"):
            return contradiction
    if report.score is None:
        return ""
    return _compare(report, report.exercises, "the report", "exercises")


def _compare(
    whole: Report | ExerciseResult, parts: Sequence[ExerciseResult | CheckResult], name: str, kind: str
) -> str:
    score, earned = whole.score or 0.0, sum(part.score for part in parts)
    if abs(score - earned) > _CLOSE:
        return f"{name} has {score:g} points, its {kind} {earned:g}"
    # The points of a written answer are among those of the checks, and not among those that the grader gives.
    if score > whole.max_score + _CLOSE or whole.max_score > sum(part.max_score for part in parts) + _CLOSE:
        return f"{name} has {score:g} of {whole.max_score:g} points"
    return ""


def load_report(path: Path) -> Report:
    """Read and validate a report. Raise `UsageError` naming the file and the first field that is wrong."""
    try:
        return Report.model_validate_json(read_regular(path))
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}. Give the path of a report.json."
        raise UsageError(message) from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        message = f"{path} is not a report of schema version {SCHEMA_VERSION}: {where}: {first['msg']}. Grade again."
        raise UsageError(message) from error
