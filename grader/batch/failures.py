"""Say in one sentence what kept a batch from its end, what of it is there all the same, and what to do."""

from collections.abc import Sequence
from pathlib import Path

from grader.batch.ledger import UnwrittenError
from grader.errors import GraderError
from grader.shortage import tell_shortage

_AGAIN = "make room or choose another folder with --out DIR, then run the same command again."


def explain_failure(failure: Exception | None, troubles: Sequence[UnwrittenError], gradebook: Path) -> Exception:
    """Return the error to raise.

    Parameters
    ----------
    failure : Exception or None
        What ended the grading.
    troubles : sequence of UnwrittenError
        What could not be written after it: the list of skipped files, the gradebook, or both.
    gradebook : Path
        The gradebook, at its place in the folder of the results.
    """
    folder = gradebook.parent
    unwritten = any(trouble.path == gradebook for trouble in troubles)
    if troubles and not folder.is_dir():
        message = f"{folder} is gone, and the reports in it; no gradebook could be written. Run the same command again."
        return GraderError(message)
    if isinstance(failure, UnwrittenError) or failure is None:
        first = failure or troubles[0]
        book = "no gradebook was written" if unwritten else f"{gradebook.name} says who has one"
        message = f"{first}. Reports made so far are kept, {book}; {_AGAIN}"
        return GraderError(message)
    shortage = "" if isinstance(failure, GraderError) else tell_shortage(failure)
    if shortage:
        failure = GraderError(f"{shortage[0].upper()}{shortage[1:]}")
    if unwritten:
        return GraderError(f"{_without_stop(failure)}. Nor could the gradebook be written: {troubles[-1].reason}.")
    if type(failure) is GraderError:
        return GraderError(
            f"{_without_stop(failure)}. {gradebook.name} says who has a result; run the same command again."
        )
    return failure


def _without_stop(failure: Exception) -> str:
    return str(failure).rstrip(".")
