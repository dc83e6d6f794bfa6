"""Sum up a batch in a few lines for the instructor."""

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from grader.batch.rows import UNWRITTEN, has_result
from grader.batch.run import GRADEBOOK, SKIPPED, Result
from grader.export.gradebook import NOTHING, Row, name_reason
from grader.feedback.figures import count
from grader.inert import printable

SHOWN = 8  # names in a line


def summarise(result: Result) -> str:
    """Return the summary as text that ends with a newline."""
    lines = [*_tell_flags(result.rows), *_tell_results(result), *_tell_marks(result.rows), *_tell_folder(result)]
    return "".join(f"{label:<12}{text}\n" for label, text in lines)


def _tell_flags(rows: Sequence[Row]) -> Iterator[tuple[str, str]]:
    """Yield how many rows a person should look at, and why, before anybody takes the points as they are."""
    if flagged := [row for row in rows if row.flags]:
        yield "look at", f"{len(flagged)} of {len(rows)}: {_names([row.student for row in flagged])} (column `flags`)"
        reasons = Counter(reason for row in flagged for reason in _reasons(row))
        ranked = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))[:SHOWN]
        yield "", ", ".join(f"{printable(reason)} in {times}" for reason, times in ranked)


def _reasons(row: Row) -> Iterable[str]:
    # What became of a submission without a result is told in full below.
    return dict.fromkeys(map(name_reason, row.flags)) if has_result(row) else ["no result"]


def _tell_results(result: Result) -> Iterator[tuple[str, str]]:
    """Yield how many submissions there are, which have no result, and why."""
    if result.layout:
        yield "layout", printable(result.layout)
    nothing = sum(row.status == NOTHING for row in result.rows)
    yield "submissions", f"{len(result.rows)}, {result.fresh} graded now, {nothing} with nothing to grade"
    if lost := [row for row in result.rows if not has_result(row)]:
        # An archive stays closed however often the command is run; the flags of its row tell what to do.
        again = any(row.status == "grader_error" or not row.flags or _is_unwritten(row) for row in lost)
        advice = "; run the same command again, or with --only-failed" if again else ""
        yield "no result", f"{len(lost)}: {_names([row.student for row in lost])}{advice}"
        for row in islice((row for row in lost if row.flags), SHOWN):
            yield "", f"{printable(row.student)}: {printable('; '.join(row.flags))}"
    if result.unopened:
        yield "not opened", _names(list(result.unopened))


def _tell_marks(rows: Sequence[Row]) -> Iterator[tuple[str, str]]:
    """Yield points and named mistakes of the class, and how many written answers wait."""
    if scores := [row.automatic for row in rows if row.automatic is not None]:
        mean, median = statistics.fmean(scores), statistics.median(scores)
        yield "points", f"mean {mean:.1f}, median {median:.1f}, from {min(scores):g} to {max(scores):g}"
    if named := Counter(code for row in rows for code in row.mistakes):
        ranked = sorted(named.items(), key=lambda item: (-item[1], item[0]))[:SHOWN]
        yield "mistakes", ", ".join(f"{code} in {times}" for code, times in ranked)
    if waiting := sum(row.written == "pending" for row in rows):
        yield "written", f"{count(waiting, 'answer')} {'waits' if waiting == 1 else 'wait'} for a person"


def _tell_folder(result: Result) -> Iterator[tuple[str, str]]:
    """Yield which inputs were used, and what lies in the folder of the results."""
    if not result.hidden:
        yield "inputs", "public ones only: this installation has no reference solutions"
    if result.strangers:
        kept = "is" if result.strangers == 1 else "are"
        yield "others", f"{count(result.strangers, 'report')} of people without work here {kept} kept"
    if left_out := len(result.skipped):
        yield "skipped", f"{count(left_out, 'file')}, {'' if left_out == 1 else 'each '}with its reason in {SKIPPED}"
    faults = ", faults/" if any(row.status == "grader_error" for row in result.rows) else ""
    yield "files", f"{GRADEBOOK}, reports/, students/, {SKIPPED}{faults}"


def _is_unwritten(row: Row) -> bool:
    return any(flag.startswith(UNWRITTEN) for flag in row.flags)


def has_nothing(result: Result) -> bool:
    """Return whether nobody's work has any asked-for function: most likely this is not the right folder."""
    return all(row.status == NOTHING for row in result.rows)


def _names(names: list[str]) -> str:
    shown = [printable(name) for name in names[:SHOWN]]
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")
