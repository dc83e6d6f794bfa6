"""What a run settles before it grades: whose work, which key, under which terms."""

from dataclasses import dataclass, field
from pathlib import Path

from grader.batch.collect import Collection, collect
from grader.batch.ledger import Ledger, Terms
from grader.batch.progress import Watcher
from grader.batch.seeds import settle_seed
from grader.course import Course, digest_sources, find_course
from grader.errors import CourseError, UsageError
from grader.grading import GradingOptions, never_answers, obtain_key, read_asked
from grader.key.answer_key import AnswerKey
from grader.key.building import build_key, digest_inputs
from grader.submissions import Asked


@dataclass(frozen=True)
class BatchOptions:
    """What a batch is told. `seed` None: the folder's own; `jobs` None: one for each core."""

    tree: Path
    out: Path
    grading: GradingOptions = field(default_factory=GradingOptions)
    seed: int | None = None
    jobs: int | None = None
    course: Path | None = None
    layout: str = "plain"
    force: bool = False
    only_failed: bool = False


@dataclass(frozen=True)
class Plan:
    """All that a run has settled. `hidden` tells whether the key asks hidden probes, too."""

    collection: Collection
    options: BatchOptions
    course: Course
    asked: Asked
    key: AnswerKey
    hidden: bool
    terms: Terms
    ledger: Ledger


def make_plan(options: BatchOptions, watcher: Watcher) -> Plan:
    """Settle everything that may be refused. Errors as of `grader.batch.run.grade_batch`."""
    if options.out.resolve() == options.tree.resolve():
        message = f"--out {options.out} is the folder of the submissions. Choose another one for the results."
        raise UsageError(message)
    course = find_course(options.course)
    asked = read_asked(course)
    key = obtain_key(course, None)
    hidden = course.solutions is not None
    if hidden:
        _refuse_mixture(course, key, options.course)
    elif options.seed is not None:
        course.require_solutions("Drawing hidden inputs with --seed")
    collection = collect(options.tree, options.layout, [options.out, *never_answers(course)])
    ledger = Ledger(options.out)
    ledger.open()
    for folder in ledger.list_exposed():
        watcher.note(f"{folder} can be read by other users of this machine, and its mode cannot be changed.")
    if hidden:
        key = key.join(build_key(course, settle_seed(options.out, options.seed)).hide())
    else:
        watcher.note(
            "only the public inputs are used: hidden ones need the reference solutions, which this installation does "
            "not have. Give a checkout of the course with --course DIR."
        )
    # Whoever does not ask for less gets hidden inputs under full isolation, or a refusal.
    isolation = options.grading.isolation or ("full" if hidden else None)
    exercises = tuple(dict.fromkeys(options.grading.exercises))
    terms = Terms(key.digest, options.grading._replace(exercises=exercises, isolation=isolation))
    return Plan(collection, options, course, asked, key, hidden, terms, ledger)


def _refuse_mixture(course: Course, key: AnswerKey, chosen: Path | None) -> None:
    """Raise `CourseError` where the public key was frozen from other sources than the hidden one will be built from."""
    if digest_inputs(key.seed, key.probes, digest_sources(course)) != key.digest:
        command = "grade key" if chosen is None else f"grade key --course {chosen}"
        message = (
            f"The answer key {course.public_key.name} was frozen from other exercises or solutions than those in "
            f"{course.solutions}, and one class is not graded by both. Freeze it again with `{command}`."
        )
        raise CourseError(message)
