"""The ladder looks everywhere that it promises to: the reference, spoiled in any one region, loses points.

The spoiled functions run in the sandbox like a student's work, all in one child, and are wrong at every call. A region
then decides for which calls their replies stand in place of the reference's.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from grader.calls import Call, Cell, Ref, Reply, Run, Unit
from grader.errors import CourseError
from grader.exercises import EXERCISES
from grader.exercises.exercise import Exercise
from grader.exercises.parts import regions_of
from grader.exercises.region import Arguments, Region, Regions
from grader.judging.judge import judge
from grader.key.answer_key import AnswerKey
from grader.sandbox import run
from grader.sandbox.shared.calling import Form, lay_out
from grader.selfcheck.tally import Premises, Tally
from grader.submissions import Submission, read_submission
from grader.submissions.asking import read_asked

_SPOILING, _HOME = "spoiling", "spoiled"


def try_regions(premises: Premises, key: AnswerKey, tally: Tally) -> None:
    """See that points are lost in every region of every function, and that nothing is asked beyond what is promised."""
    submission = read_submission([premises.solutions], read_asked(premises.course), premises.course.never_answers)
    stated = {exercise.slug: _read_regions(exercise) for exercise in premises.exercises}
    replies = _run_spoiled(premises, key, submission, stated)
    for exercise in premises.exercises:
        regions = stated[exercise.slug]
        for function in exercise.functions:
            takes_nothing = function.constant or function.signature.endswith("()")
            if not takes_nothing and function.name not in regions.parameters:
                tally.fail(function.name, f"has no regions in grader/exercises/{exercise.slug}/regions.py")
        _refuse_what_is_not_asked(regions, key, tally)
        trial = _Trial(exercise, regions, key, submission, replies)
        for region in regions.asked:
            for name in region.functions:
                for place, item in enumerate(exercise.function(name).returns):
                    tally.regions += 1
                    if not trial.costs_points(name, place, region):
                        tally.unseen += 1
                        tally.fail(f"{name}, {region.name}", f"{item.name} may be wrong there (seed {key.seed})")


def _read_regions(exercise: Exercise) -> Regions:
    try:
        return regions_of(exercise)
    except ModuleNotFoundError as error:
        message = (
            f"grader/exercises/{exercise.slug}/regions.py does not exist. State there what the handout promises of the "
            "arguments, as the other exercises do."
        )
        raise CourseError(message) from error


def _refuse_what_is_not_asked(regions: Regions, key: AnswerKey, tally: Tally) -> None:
    for probe in key.probes:
        name = probe.call.function
        if not probe.judged or name not in regions.parameters:
            continue
        for beyond in regions.not_asked:
            if name in beyond.functions and any(beyond.holds(a) for a in _read(regions, probe.call)):
                tally.fail(probe.id, f"asks what the handout does not promise: {beyond.name} (seed {key.seed})")


def _read(regions: Regions, call: Call) -> list[Arguments]:
    """Return the arguments of a call, each time that it is made, as they come to the function."""

    def arrived(value: Any) -> Any:
        if not isinstance(value, np.ndarray):
            return value
        return lay_out(value, Form(call.order, readonly=call.readonly, single=call.single))

    times = [args for args in (call.args, call.again) if args is not None]
    return [regions.read(call.function, [arrived(value) for value in args]) for args in times]


class _Trial:
    """Judges the spoiled functions of one exercise."""

    def __init__(
        self, exercise: Exercise, regions: Regions, key: AnswerKey, submission: Submission, replies: Mapping[str, Reply]
    ) -> None:
        self._exercise, self._key, self._submission, self._replies = exercise, key, submission, replies
        self._arguments = {
            probe.id: _read(regions, probe.call)
            for probe in key.probes
            if probe.call.function in regions.parameters
            and probe.id in replies
            and not any(isinstance(value, Ref) for value in probe.call.args)
        }
        self._verdicts: dict[tuple[Any, ...], bool] = {}

    def costs_points(self, name: str, place: int, region: Region) -> bool:
        """Whether the function loses points where what it returns at `place` is wrong in this region."""
        where = {
            probe.id: tuple(bool(region.holds(a)) for a in self._arguments[probe.id])
            for probe in self._key.probes
            if probe.call.function == name
            and probe.id in self._arguments
            and region.refused is (probe.raises is not None)
        }
        hit = tuple((call, times) for call, times in where.items() if any(times))
        if (name, place, hit) not in self._verdicts:
            self._verdicts[name, place, hit] = bool(hit) and self._judge(name, place, dict(hit))
        return self._verdicts[name, place, hit]

    def _judge(self, name: str, place: int, hit: Mapping[str, tuple[bool, ...]]) -> bool:
        spoiled = {
            call: _mix(self._replies[call], self._replies[_alias(call, place)], times) for call, times in hit.items()
        }
        everything = [function for exercise in EXERCISES.values() for function in exercise.functions]
        checks = tuple(check for check in self._exercise.checks if check.function == name)
        exercise = self._exercise._replace(checks=checks)
        answers = Run({**self._replies, **spoiled})
        result = judge([exercise], self._key, self._submission.definitions, answers, everything)[0]
        return result.score < result.max_score


def _mix(right: Reply, wrong: Reply, times: tuple[bool, ...]) -> Reply:
    """Return the wrong reply; where only one of two calls lies in the region, the other result is right."""
    if all(times):
        return wrong
    pairs = zip(right.value, wrong.value, times, strict=True)
    return wrong._replace(value=tuple(bad if hit else good for good, bad, hit in pairs))


def _alias(name: str, place: int) -> str:
    return f"spoiled_{place}__{name}"


def _run_spoiled(
    premises: Premises, key: AnswerKey, submission: Submission, stated: Mapping[str, Regions]
) -> Mapping[str, Reply]:
    """Run the reference and each of its functions, spoiled in each thing that it returns."""
    calls = key.calls(tuple(premises.functions | {"attention"}))
    units, asked = ["from spoiling import spoil"], []
    for exercise in premises.exercises:
        units.append(f"import {exercise.slug}")
        for name in stated[exercise.slug].parameters:
            for place in range(len(exercise.function(name).returns)):
                units.append(f"{_alias(name, place)} = spoil({exercise.slug}.{name}, {place})")
                asked += [
                    call._replace(id=_alias(call.id, place), function=_alias(name, place))
                    for call in calls
                    if call.function == name
                ]
    text = Path(__file__).with_name(f"{_SPOILING}.py").read_text("utf-8")
    spoiling = Unit(_SPOILING, f"{_SPOILING}.py", (Cell(text),))
    home = Unit(_HOME, f"{_HOME}.py", (Cell("\n".join(units) + "\n"),))
    program = submission.program
    program = program._replace(units=(*program.units, spoiling, home), run=(*program.run, _HOME))
    return run(premises.engine, program, (*calls, *asked), premises.settings.limits).replies
