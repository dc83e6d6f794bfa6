"""Every known mistake, run in the sandbox like a student's work and judged in place of the reference.

All run in one child: a program that holds the solutions and every mistake under a name of its own.
"""

import re
from collections.abc import Sequence

from grader.calls import Call, Cell, Program, Run, Unit
from grader.exercises import EXERCISES
from grader.exercises.catalogue import CATALOGUE
from grader.exercises.exercise import Severity
from grader.grading import read_asked
from grader.judging.judge import judge
from grader.key.answer_key import AnswerKey
from grader.report import CheckResult
from grader.sandbox import run
from grader.selfcheck.tally import LIMITS, Bench, Tally
from grader.submissions import read_submission

_HOME = "known_mistakes"


def check_mistakes(bench: Bench, key: AnswerKey, tally: Tally) -> None:
    """See that every known mistake loses points in the function it is about, and is named as itself."""
    submission = read_submission([bench.solutions], read_asked(bench.course), [bench.solutions / "mistakes"])
    calls = key.calls(tuple(bench.functions | {"attention"}))
    mistaken = [(name, code) for name in sorted(bench.functions) for code in key.mistakes.get(name, {})]
    asked = [_as_mistake(call, name, code) for name, code in mistaken for call in calls if call.function == name]
    replies = run(bench.engine, _with_mistakes(submission.program, bench), (*calls, *asked), LIMITS).replies
    reference = {call.id: replies[call.id] for call in calls}
    everything = [function for exercise in EXERCISES.values() for function in exercise.functions]
    for name, code in mistaken:
        mine = {call.id: replies[_alias_id(call, code)] for call in calls if call.function == name}
        exercise = next(exercise for exercise in bench.exercises if name in {f.name for f in exercise.functions})
        result = judge([exercise], key, submission.definitions, Run({**reference, **mine}), everything)[0]
        _hold_against(name, code, [check for check in result.checks if check.function == name], tally, key.seed)


def _hold_against(name: str, code: str, checks: Sequence[CheckResult], tally: Tally, seed: int) -> None:
    parts = code.split("+")
    subject = f"{code} in {name}"
    tally.known += 1
    found = {mistake.code for check in checks for mistake in check.named_mistakes}
    own = [{part, *CATALOGUE[part].aliases} for part in parts]
    right = len(found) <= len(parts) and all(found & group for group in own)
    if any(CATALOGUE[part].severity is Severity.WRONG for part in parts):
        tally.wrong += 1
        if all(check.score == check.max_score for check in checks):
            tally.accepted += 1
            tally.fault(subject, f"keeps full marks (seed {seed})")
    elif any(check.score < check.max_score for check in checks):
        tally.fault(subject, f"loses points, though its verdict is a note (seed {seed})")
    if not found:
        tally.fault(subject, f"is not named (seed {seed})")
    elif right:
        tally.named += 1
    else:
        tally.misnamed += 1
        tally.fault(subject, f"is named {', '.join(sorted(found))} (seed {seed})")


def _alias(name: str, code: str) -> str:
    return re.sub(r"\W", "_", f"{name}__{code}")


def _alias_id(call: Call, code: str) -> str:
    return f"{code}/{call.id}"


def _as_mistake(call: Call, name: str, code: str) -> Call:
    return call._replace(id=_alias_id(call, code), function=_alias(name, code))


def _with_mistakes(program: Program, bench: Bench) -> Program:
    """Return the solutions' program with every known mistake as a further function."""
    units, lines = [], ["import re"]
    for stem in (exercise.slug for exercise in bench.exercises):
        text = (bench.solutions / "mistakes" / f"{stem}.py").read_text("utf-8")
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
