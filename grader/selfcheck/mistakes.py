"""Run every known mistake in the sandbox like a student's work, and judge it in place of the reference.

All of them run in one child, which starts and loads once for some 500 mistakes: its program holds the solutions, and
every mistake under a name of its own.
"""

import re
from collections.abc import Sequence

from grader.calls import Call, Cell, Program, Run, Unit
from grader.exercises import EXERCISES
from grader.exercises.catalogue import CATALOGUE
from grader.exercises.exercise import Severity
from grader.judging.judge import judge
from grader.key.answer_key import AnswerKey
from grader.report import CheckResult
from grader.sandbox import run
from grader.selfcheck.tally import Premises, Tally
from grader.submissions import Submission, read_submission
from grader.submissions.asking import read_asked

_HOME = "known_mistakes"


def try_mistakes(premises: Premises, key: AnswerKey, tally: Tally) -> None:
    """See that every known mistake loses points in the function it is about, and is named as itself."""
    course = premises.course
    submission = read_submission([premises.solutions], read_asked(course), course.never_answers)
    calls = key.calls(tuple(premises.functions | {"attention"}))
    mistaken = [(name, code) for name in sorted(premises.functions) for code in key.mistakes.get(name, {})]
    asked = [_as_mistake(call, name, code) for name, code in mistaken for call in calls if call.function == name]
    program = _with_mistakes(submission.program, premises)
    replies = run(premises.engine, program, (*calls, *asked), premises.settings.limits).replies
    reference = {call.id: replies[call.id] for call in calls}
    for name, code in mistaken:
        mine = {call.id: replies[_alias_id(call, code)] for call in calls if call.function == name}
        checks = _judge_function(name, submission, key, Run({**reference, **mine}))
        subject = f"{code} in {name}"
        tally.known += 1
        _check_points(subject, code, checks, tally, key.seed)
        _check_name(subject, code, checks, tally, key.seed)


def _judge_function(name: str, submission: Submission, key: AnswerKey, given: Run) -> list[CheckResult]:
    everything = [function for exercise in EXERCISES.values() for function in exercise.functions]
    exercise = next(exercise for exercise in EXERCISES.values() if name in {f.name for f in exercise.functions})
    (result,) = judge([exercise], key, submission.definitions, given, everything)
    return [check for check in result.checks if check.function == name]


def _check_points(subject: str, code: str, checks: Sequence[CheckResult], tally: Tally, seed: int) -> None:
    loses = any(check.score < check.max_score for check in checks)
    if any(CATALOGUE[part].severity is Severity.WRONG for part in code.split("+")):
        tally.wrong += 1
        if not loses:
            tally.accepted += 1
            tally.fail(subject, f"keeps full marks (seed {seed})")
    elif loses:
        tally.fail(subject, f"loses points, though its verdict is a note (seed {seed})")


def _check_name(subject: str, code: str, checks: Sequence[CheckResult], tally: Tally, seed: int) -> None:
    parts = code.split("+")
    found = {mistake.code for check in checks for mistake in check.named_mistakes}
    own = [{part, *CATALOGUE[part].aliases} for part in parts]
    if not found:
        tally.fail(subject, f"is not named (seed {seed})")
    elif len(found) <= len(parts) and all(found & group for group in own):
        tally.named += 1
    else:
        tally.misnamed += 1
        tally.fail(subject, f"is named {', '.join(sorted(found))} (seed {seed})")


def _alias(name: str, code: str) -> str:
    return re.sub(r"\W", "_", f"{name}__{code}")


def _alias_id(call: Call, code: str) -> str:
    return f"{code}/{call.id}"


def _as_mistake(call: Call, name: str, code: str) -> Call:
    return call._replace(id=_alias_id(call, code), function=_alias(name, code))


def _with_mistakes(program: Program, premises: Premises) -> Program:
    """Return the solutions' program with every known mistake as a further function."""
    units, lines = [], ["import re"]
    for stem in (exercise.slug for exercise in premises.exercises):
        text = (premises.solutions / "mistakes" / f"{stem}.py").read_text("utf-8")
        units.append(Unit(f"mistakes_{stem}", f"mistakes/{stem}.py", (Cell(text),)))
        lines += [
            f"import mistakes_{stem} as _known",
            "for _table in (_known.MISTAKES, getattr(_known, 'COMBINED', {})):",
            "    for _name, _entries in _table.items():",
            "        for _code, _function in _entries.items():",
            "            globals()[re.sub(r'\\W', '_', f'{_name}__{_code}')] = _function",
        ]
    every = Unit(_HOME, f"{_HOME}.py", (Cell("\n".join(lines) + "\n"),))
    return program._replace(units=(*program.units, *units, every), run=(*program.run, _HOME))
