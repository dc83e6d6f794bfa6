"""Edits of the reference made by rule: each one loses points, or `equivalents.toml` says why it is as right."""

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

from grader.calls import Cell, Program
from grader.errors import CourseError
from grader.exercises import EXERCISES
from grader.exercises.exercise import Rule
from grader.grading import grade_submission
from grader.key.answer_key import AnswerKey
from grader.selfcheck.mutation import Mutant, make_mutants
from grader.selfcheck.tally import Premises, Tally
from grader.settings import Settings
from grader.submissions import Submission, read_submission
from grader.submissions.asking import read_asked

_PROGRESS = 50  # mutants between two lines about progress


def try_mutants(premises: Premises, key: AnswerKey, tally: Tally, tell: Callable[[str], None]) -> None:
    """Grade the reference with one edit at a time; see that only the edits listed as equivalent keep full marks."""
    submission = read_submission([premises.solutions], read_asked(premises.course), premises.course.never_answers)
    settings = Settings(
        limits=premises.settings.limits
    )  # all exercises, because one may judge by the answers of another
    plain = key._replace(mistakes={})  # looking for names would take half of the time, and no name is wanted here
    made = list(_make_all(submission))
    survivors = set()
    for k, (mutant, program) in enumerate(made):
        if k % _PROGRESS == 0:
            tell(f"mutants: {k} of {len(made)}")
        report = grade_submission(submission._replace(program=program), plain, premises.engine, settings)
        if report.error is not None:
            message = f"The grader failed on a mutant, {mutant.edit}: {report.error}"
            raise CourseError(message)
        tally.mutants += 1
        if report.score == report.max_score:
            survivors.add(mutant.edit)
    equivalents = read_equivalents()
    for edit in sorted(survivors - equivalents.keys()):
        tally.fail(edit, "keeps full marks, and no reason is listed why it is as right")
    for edit in sorted(equivalents.keys() - survivors):
        tally.fail(edit, "is listed as equivalent, but is not made any more, or loses points")
    tally.equivalent += len(survivors & equivalents.keys())


def read_equivalents() -> dict[str, str]:
    """Return the edits that are as right as the reference, each with the reason."""
    listed = tomllib.loads(Path(__file__).with_name("equivalents.toml").read_text("utf-8"))
    return {edit: entry["reason"] for entry in listed["equivalent"] for edit in entry["edits"]}


def _make_all(submission: Submission) -> Iterator[tuple[Mutant, Program]]:
    """Yield every edit of the files that hold an asked-for name, and the program with it."""
    checks = [check for exercise in EXERCISES.values() for check in exercise.checks]
    read = {check.function for check in checks if check.rule is Rule.WRITTEN}
    constants = {f.name for exercise in EXERCISES.values() for f in exercise.functions if f.constant} - read
    program = submission.program
    for unit in program.units:
        if unit.module not in program.homes.values():
            continue
        for mutant in make_mutants(unit.cells[0].text, constants):
            edited = unit._replace(cells=(Cell(mutant.text),))
            units = tuple(edited if one is unit else one for one in program.units)
            yield mutant, program._replace(units=units)
