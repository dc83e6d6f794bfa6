"""Settle, before anything is graded, whose work a run grades, by which answer key and under which settings."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.batch.collect import Collection, DownloadOptions, HandIn, collect
from grader.batch.ledger import Ledger
from grader.batch.names import make_stamp
from grader.batch.progress import Watcher
from grader.batch.seeds import settle_seed
from grader.course import Course, digest_sources, find_course, key_command
from grader.errors import CourseError, UsageError
from grader.key.answer_key import AnswerKey
from grader.key.building import build_key, digest_inputs
from grader.key.frozen import load_key
from grader.settings import Settings
from grader.submissions import Asked, SubmittedFile, read_submission
from grader.submissions.asking import read_asked
from grader.submissions.reasons import CODE
from grader.submissions.records import Print


@dataclass(frozen=True)
class Batch:
    """The choices of a batch, beside how to grade. Without `jobs` there is one worker for each core."""

    tree: Path
    out: Path
    options: DownloadOptions = DownloadOptions()
    jobs: int | None = None
    force: bool = False
    only_failed: bool = False


@dataclass(frozen=True)
class Terms:
    """All that a run has settled.

    `settings` are the chosen ones, with the isolation that hidden inputs demand. `hidden` tells whether the key asks
    hidden probes, too. `leave_out` are folders that are nobody's work. `model` holds the prints of the model answers,
    where they are here.
    """

    batch: Batch
    settings: Settings
    asked: Asked
    key: AnswerKey
    hidden: bool
    collection: Collection
    leave_out: tuple[Path, ...]
    ledger: Ledger
    model: tuple[Print, ...] = ()

    def make_stamp(self, hand_in: HandIn, files: Sequence[SubmittedFile] | None = None) -> str:
        """Return the stamp of the report that these terms give: see `grader.batch.names.make_stamp`."""
        return make_stamp(hand_in, self.key.digest, self.settings, files)


def settle_terms(batch: Batch, settings: Settings, watcher: Watcher) -> Terms:
    """Settle everything that may be refused. Errors as of `grader.batch.run.grade_batch`."""
    if batch.out.resolve() == batch.tree.resolve():
        message = f"--out {batch.out} is the folder of the submissions. Choose another one for the results."
        raise UsageError(message)
    course = find_course(settings.course)
    asked = read_asked(course)
    key = load_key(course.public_key)
    hidden = course.solutions is not None
    if hidden:
        _refuse_mixture(course, key)
    elif settings.seed is not None:
        course.require_solutions("Drawing hidden inputs with --seed")
    leave_out = (batch.out, *course.never_answers)
    handed_out = [path.stem for path in course.stubs.iterdir() if path.suffix in CODE]
    collection = collect(batch.tree, batch.options, leave_out, handed_out)
    ledger = Ledger(batch.out)
    ledger.open()
    for folder in ledger.list_exposed():
        watcher.note(f"{folder} can be read by other users of this machine, and its mode cannot be changed.")
    if hidden:
        key = key.join(build_key(course, settle_seed(batch.out, settings.seed)).hide())
        # Under less than full isolation a student's code could read the seed. Only an instructor may accept that.
        settings = replace(settings, isolation=settings.isolation or "full")
    else:
        watcher.note(
            "only the public inputs are used: hidden ones need the reference solutions, which this installation does "
            "not have. Give a checkout of the course with --course DIR."
        )
    model = _read_model_answers(course, asked)
    return Terms(batch, settings, asked, key, hidden, collection, leave_out, ledger, model)


def _read_model_answers(course: Course, asked: Asked) -> tuple[Print, ...]:
    if course.solutions is None:
        return ()
    return read_submission([course.solutions], asked, course.never_answers).prints


def _refuse_mixture(course: Course, key: AnswerKey) -> None:
    """Raise `CourseError` where the public key was frozen from other sources than the hidden one will be built from."""
    if digest_inputs(key.seed, key.probes, digest_sources(course)) != key.digest:
        message = (
            f"The answer key {course.public_key.name} was frozen from other exercises or solutions than those in "
            f"{course.solutions}, and one class is not graded by both. Freeze it again with "
            f"`{key_command(course.public_key)}`."
        )
        raise CourseError(message)
