"""Prove the grader: what is right keeps its points, every known mistake loses some and is named as itself.

The known mistakes run in the sandbox like a student's work, all in one child: a program that holds the solutions and
every mistake under a name of its own. Their replies are judged one by one in place of the reference's.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from grader.course import Course
from grader.errors import CourseError
from grader.exercises import EXERCISES
from grader.exercises.catalogue import CATALOGUE
from grader.exercises.model import Exercise, Limit, Mistake, Verdict
from grader.grading import GradingOptions, grade_submission, read_asked
from grader.judging import judge
from grader.judging.diagnosis import same_answer
from grader.key import PUBLIC_SEED, Answer, AnswerKey, build_key
from grader.report import CheckResult, Outcome, Report
from grader.sandbox import Engine, run
from grader.sandbox.calls import Call, Cell, Limits, Program, Run, Unit
from grader.submissions import read_submission

LIMITS = Limits(submission=300.0)
MARGIN = 1000.0  # a wrong answer lies this many times beyond the limit on its best probe
DIFFERENCE_MARGIN = 10.0  # of finite differences, whose own error is never far below the limit
# Rounding a probability to two decimals moves it by 0.005 at most, which is 500 times the limit of 1e-5.
ROUNDING_MARGIN = 100.0
_HOME = "known_mistakes"


@dataclass(frozen=True)
class Finding:
    """Something that does not hold: what it is about and what was seen."""

    subject: str
    problem: str


@dataclass
class Tally:
    """What was counted. A name is right where it is the mistake's own, up to declared aliases."""

    known: int = 0  # a code in a function
    wrong: int = 0
    accepted: int = 0  # wrong mistakes that lost nothing
    named: int = 0
    misnamed: int = 0
    right: int = 0
    rejected: int = 0  # right submissions that lost a point
    cheats: int = 0
    smallest_margin: float = float("inf")
    smallest_at: str = ""
    findings: list[Finding] = field(default_factory=list)

    def fault(self, subject: str, problem: str) -> None:
        """Keep a finding."""
        self.findings.append(Finding(subject, problem))


@dataclass(frozen=True)
class Bench:
    """What every step needs."""

    course: Course
    engine: Engine
    exercises: tuple[Exercise, ...]
    solutions: Path

    @property
    def options(self) -> GradingOptions:
        """Grade these exercises."""
        return GradingOptions(tuple(exercise.slug for exercise in self.exercises), LIMITS)

    @property
    def functions(self) -> frozenset[str]:
        """The asked-for names of these exercises."""
        return frozenset(function.name for exercise in self.exercises for function in exercise.functions)


def check_grader(
    course: Course, engine: Engine, slugs: Sequence[str], seeds: int, tell: Callable[[str], None]
) -> Tally:
    """Run every proof on the public seed and on `seeds - 1` further ones.

    Parameters
    ----------
    course : Course
        With solutions; the shelves of right variants and cheats lie beside them, in `tests/`.
    engine : Engine
        Runs the work; it stays open.
    slugs : sequence of str
        The exercises to check; none means all.
    seeds : int
        At least one.
    tell : callable
        Hears about progress.

    Returns
    -------
    Tally
        What was counted, and a finding for each proof that fails.
    """
    exercises = tuple(EXERCISES[slug] for slug in slugs or EXERCISES)
    bench = Bench(course, engine, exercises, course.require_solutions("`grade selfcheck`"))
    tally = Tally()
    for k in range(seeds):
        key = build_key(course, PUBLIC_SEED + k)
        tell(f"seed {key.seed}: solutions and stubs")
        check_solutions(bench, key, tally)
        check_stubs(bench, key, tally)
        tell(f"seed {key.seed}: known mistakes")
        check_mistakes(bench, key, tally)
        check_margins(bench, key, tally)
        tell(f"seed {key.seed}: right variants and cheats")
        check_variants(bench, key, tally)
        check_cheats(bench, key, tally)
    return tally


def _grade(bench: Bench, key: AnswerKey, paths: Sequence[Path]) -> Report:
    submission = read_submission(paths, read_asked(bench.course), [bench.solutions / "mistakes"])
    report = grade_submission(submission, key, bench.engine, bench.options)
    if report.error is not None:
        message = f"The grader failed on {submission.path}: {report.error}"
        raise CourseError(message)
    return report


def _checks(report: Report) -> Iterator[CheckResult]:
    for exercise in report.exercises:
        yield from exercise.checks


def _loses(check: CheckResult) -> bool:
    return check.score < check.max_score and check.outcome is not Outcome.PENDING


def check_solutions(bench: Bench, key: AnswerKey, tally: Tally) -> None:
    """See that the reference solutions earn every automatic point."""
    report = _grade(bench, key, [bench.solutions])
    if report.score != report.max_score:
        lost = ", ".join(check.name for check in _checks(report) if _loses(check))
        tally.fault("solutions", f"{report.score} of {report.max_score} points; lost: {lost} (seed {key.seed})")


def check_stubs(bench: Bench, key: AnswerKey, tally: Tally) -> None:
    """See that the untouched stubs earn nothing, and that nothing of them is called wrong."""
    report = _grade(bench, key, [bench.course.stubs])
    started = [check.name for check in _checks(report) if check.outcome is not Outcome.NOT_ATTEMPTED]
    if report.score or started:
        tally.fault("stubs", f"{report.score} points; not called unattempted: {', '.join(started) or 'none'}")


def check_mistakes(bench: Bench, key: AnswerKey, tally: Tally) -> None:
    """See that every known mistake loses points in the function it is about, and is named as itself."""
    submission = read_submission([bench.solutions], read_asked(bench.course), [bench.solutions / "mistakes"])
    known = CATALOGUE
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
        _hold_against(name, code, known, [check for check in result.checks if check.function == name], tally, key.seed)


def _hold_against(
    name: str, code: str, known: Mapping[str, Mistake], checks: Sequence[CheckResult], tally: Tally, seed: int
) -> None:
    parts = code.split("+")
    subject = f"{code} in {name}"
    tally.known += 1
    found = {mistake.code for check in checks for mistake in (check.mistake, *check.further_mistakes) if mistake}
    own = [{part, *known[part].aliases} for part in parts]
    right = len(found) <= len(parts) and all(found & group for group in own)
    if any(known[part].verdict is Verdict.WRONG for part in parts):
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
    return replace(call, id=_alias_id(call, code), function=_alias(name, code))


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
    return replace(program, units=(*program.units, *units, every), run=(*program.run, _HOME))


def check_margins(bench: Bench, key: AnswerKey, tally: Tally) -> None:
    """See that each wrong mistake lies far beyond the limit on its best probe, and apart from all others on some."""
    known = CATALOGUE
    limits = {probe.id: probe.limits for probe in key.probes}
    for name in sorted(bench.functions):
        singles = {code: answers for code, answers in key.mistakes.get(name, {}).items() if "+" not in code}
        for code, answers in singles.items():
            if known[code].verdict is Verdict.NOTE:
                continue
            margin = max((_margin(answers[probe], key.answers[probe], limits[probe]) for probe in answers), default=0.0)
            if margin < tally.smallest_margin:
                tally.smallest_margin, tally.smallest_at = margin, f"{code} in {name}"
            if margin < _required(code, name):
                tally.fault(f"{code} in {name}", f"lies only {margin:.3g} times beyond the limit (seed {key.seed})")
        for one, other in _pairs(sorted(singles)):
            if other not in known[one].aliases and not _apart(singles[one], singles[other], limits):
                tally.fault(f"{one} and {other} in {name}", f"give the same on every probe (seed {key.seed})")


def _required(code: str, name: str) -> float:
    if code.startswith("FD"):
        return DIFFERENCE_MARGIN
    return ROUNDING_MARGIN if (code, name) == ("E1-23", "softmax") else MARGIN


def _pairs(codes: Sequence[str]) -> Iterator[tuple[str, str]]:
    return ((one, other) for k, one in enumerate(codes) for other in codes[k + 1 :])


def _apart(one: Mapping[str, Answer], other: Mapping[str, Answer], limits: Mapping[str, tuple[Limit, ...]]) -> bool:
    return any(not same_answer(one[probe], other[probe], limits[probe]) for probe in one)


def _margin(given: Answer, right: Answer, limits: Sequence[Limit]) -> float:
    """Return the distance in units of the limit above which an answer is wrong; infinite for another kind of answer."""
    if (given.raises, given.changed, len(given.items)) != (right.raises, right.changed, len(right.items)):
        return float("inf")
    margins = [0.0]
    for mine, theirs, limit in zip(given.items, right.items, limits, strict=False):
        if mine.shape != theirs.shape or not np.all(np.isfinite(mine)):
            return float("inf")
        largest = float(np.max(np.abs(mine.astype(float) - theirs), initial=0.0))
        allowed = (limit.right if limit.note is None else limit.note) * limit.scaled_by(theirs)
        margins.append(largest / allowed if allowed else float("inf") if largest else 0.0)
    return max(margins)


def check_variants(bench: Bench, key: AnswerKey, tally: Tally) -> None:
    """See that right work in another form keeps every point."""
    for name, paths in shelf(bench.solutions, "variants"):
        report = _grade(bench, key, paths)
        tally.right += 1
        lost = [f"{check.name} ({check.message})" for check in _checks(report) if _loses(check)]
        if report.score != report.max_score:
            tally.rejected += 1
            tally.fault(f"variant {name}", f"loses {', '.join(lost)} (seed {key.seed})")


def check_cheats(bench: Bench, key: AnswerKey, tally: Tally) -> None:
    """See that work which answers nothing earns no more than its docstring allows."""
    for name, paths in shelf(bench.solutions, "cheats"):
        report = _grade(bench, key, paths)
        tally.cheats += 1
        bound = _bound(paths[0])
        if report.score is None or report.score > bound:
            tally.fault(f"cheat {name}", f"earns {report.score} points, more than {bound} (seed {key.seed})")


def _bound(path: Path) -> float:
    found = re.search(r"at most (\d+(?:\.\d+)?)", path.read_text("utf-8"), re.IGNORECASE)
    if found is None:
        message = f"{path.name} in {path.parent.name} does not say `at most N points`. Add it to its docstring."
        raise CourseError(message)
    return float(found.group(1))


def shelf(solutions: Path, kind: str) -> list[tuple[str, list[Path]]]:
    """Return the submissions of a shelf beside the solutions: a folder each, completed by `variants/plain`."""
    folder = solutions.parent / "tests" / kind
    plain = solutions.parent / "tests" / "variants" / "plain"
    found = []
    for one in sorted(folder.iterdir()) if folder.is_dir() else []:
        files = sorted(one.glob("*.py"))
        if files:
            missing = [path for path in sorted(plain.glob("*.py")) if path.name not in {file.name for file in files}]
            found.append((one.name, [*files, *missing]))
    return found
