"""What the states of its functions make of a whole submission: nothing started, two answers to choose from, nothing."""

from collections.abc import Iterable, Sequence

from grader.calls import Program
from grader.errors import UsageError
from grader.exercises.exercise import Exercise
from grader.submissions.flags import NOTHING_FOUND
from grader.submissions.records import Asked, Definition, FunctionState, Submission, SubmittedFile


def list_started(submission: Submission, exercises: Iterable[Exercise]) -> list[str]:
    """Return the functions of the exercises that a person has written, or may have, and that can be called."""
    started = (FunctionState.DEFINED, FunctionState.POSSIBLE)
    names = [function.name for exercise in exercises for function in exercise.functions]
    return [name for name in names if submission.definitions[name].state in started]


def refuse_conflicts(submission: Submission) -> None:
    """Raise `UsageError` where two edited files answer the same question differently: a person has to choose."""
    for definition in submission.definitions.values():
        if definition.state is FunctionState.CONFLICT:
            raise UsageError(definition.cause)


def mention_conflicts(submission: Submission) -> Submission:
    """Return the submission with its conflicts in the notes: where a class is graded, nobody is there to choose."""
    causes = [d.cause for d in submission.definitions.values() if d.state is FunctionState.CONFLICT]
    return submission._replace(notes=tuple(dict.fromkeys([*submission.notes, *causes])))


def empty_submission(
    path: str, reason: str, asked: Asked, files: Sequence[SubmittedFile] = (), *, flag: str = NOTHING_FOUND
) -> Submission:
    """Return a submission without any answer, whose one note is the reason: it is graded like every other."""
    definitions = {name: Definition(name, FunctionState.MISSING, flag=flag) for name in asked.stems}
    return Submission(path, tuple(files), Program((), (), {}), definitions, (reason,), ())
