"""Answer a key's calls with plain functions, in this process: what the sandbox gives for trusted code.

A builder for tests of the judging alone. Values pass through the sandbox's wire, so containers look as they do there.
"""

import warnings
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from grader.calls import Call, Ended, Opaque, Ref, Reply, Run, Smooth, StudentError, Wrapped
from grader.course import find_course, load_solutions
from grader.exercises import EXERCISES, asked_names
from grader.judging.judge import judge
from grader.judging.verdicts import choose_further
from grader.key.answer_key import AnswerKey
from grader.report import CheckResult, ExerciseResult
from grader.sandbox.child.values import Converter
from grader.sandbox.shared import wire
from grader.sandbox.shared.calling import Form, lay_out
from grader.sandbox.shared.smooth import SMOOTH
from grader.submissions import Definition, FunctionState

_MARKS = MappingProxyType({"opaque": Opaque, "wrapped": Wrapped})
REFERENCES = dict(load_solutions(find_course(), asked_names()).references)


def answer(functions: Mapping[str, Any], key: AnswerKey) -> Run:
    """Return what these functions give on the calls that a work is asked: the key's first ones, and those due then."""
    replies: dict[str, Reply] = {}
    names = [name for names in asked_names().values() for name in names]
    everything = [function for exercise in EXERCISES.values() for function in exercise.functions]
    for call in _by_function(key.first_calls(names)):
        replies[call.id] = _reply(call, functions, replies)
    for call in _by_function(choose_further(names, everything, key, replies)):
        replies[call.id] = _reply(call, functions, replies)
    return Run(replies)


def _by_function(calls: Sequence[Call]) -> list[Call]:
    order = list(dict.fromkeys(call.function for call in calls))
    return sorted(calls, key=lambda call: order.index(call.function))


def _reply(call: Call, functions: Mapping[str, Any], replies: Mapping[str, Reply]) -> Reply:
    if call.function not in functions:
        return Reply(Ended.MISSING)
    function = functions[call.function]
    if call.constant:
        return Reply(Ended.RETURNED, crossed(function))
    try:
        first = [_fresh(call, value, replies) for value in call.args]
    except LookupError:
        return Reply(Ended.SKIPPED, detail="a value is missing")
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            value = function(*first)
            if call.again is not None:
                value = (value, function(*[_fresh(call, other, replies) for other in call.again]))
    except Exception as error:  # noqa: BLE001 (whatever the function raises is its answer)
        bases = tuple(base.__name__ for base in type(error).__mro__[1:])
        return Reply(Ended.RAISED, error=StudentError(type(error).__name__, str(error), bases=bases))
    return Reply(Ended.RETURNED, crossed(value), echo=tuple(first) if call.echo else None)


def crossed(value: Any) -> Any:
    """Return a value as it is after crossing the sandbox's wire."""
    frame = wire.pack({"value": Converter()(value)})
    head, _ = wire.sizes(frame[: wire.PREFIX.size])
    start = wire.PREFIX.size
    return wire.unpack(frame[start : start + head], frame[start + head :], _MARKS)["value"]


def _fresh(call: Call, value: Any, replies: Mapping[str, Reply]) -> Any:
    match value:
        case Smooth():
            return SMOOTH[value.name]
        case Ref():
            found = replies[value.call].value
            if value.item is not None:
                found = found[value.item] if isinstance(found, tuple) and len(found) > value.item else None
            if not isinstance(found, np.ndarray):
                raise LookupError  # noqa: TRY004 (a value that is not there, whatever its type)
            return found.copy()
        case np.ndarray():
            return lay_out(value, Form(call.order, readonly=call.readonly, single=call.single))
        case _:
            return value


def defined(functions: Mapping[str, Any]) -> dict[str, Definition]:
    """Return definitions that say: all of these are there."""
    names = [name for names in asked_names().values() for name in names]
    return {
        name: Definition(name, FunctionState.DEFINED if name in functions else FunctionState.MISSING, f"{name}.py", 1)
        for name in names
    }


def judge_functions(key: AnswerKey, **changed: Any) -> tuple[ExerciseResult, ...]:
    """Judge the reference solutions with some functions replaced (None: left out)."""
    functions = {name: value for name, value in (REFERENCES | changed).items() if value is not None}
    everything = [function for exercise in EXERCISES.values() for function in exercise.functions]
    return judge(tuple(EXERCISES.values()), key, defined(functions), answer(functions, key), everything)


def checks_of(results: tuple[ExerciseResult, ...]) -> dict[str, CheckResult]:
    """Return the checks by name."""
    return {check.name: check for result in results for check in result.checks}


def score_of(results: tuple[ExerciseResult, ...]) -> float:
    """Return the automatic points."""
    return sum(result.score for result in results)
