"""Build the answer key of a seed from the reference solutions.

Where an exercise names a second reference (attention outputs have the blockwise online softmax), no key is built if the
two disagree. Mistakes are evaluated on the small probes only.
"""

import hashlib
import json
import warnings
from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Any
from zlib import crc32

import numpy as np

from grader.calls import Call, Smooth
from grader.course import Course, Solutions, digest_sources, load_solutions
from grader.errors import CourseError
from grader.exercises import EXERCISES, asked_names
from grader.exercises.catalogue import MISTAKES
from grader.exercises.exercise import Exercise
from grader.exercises.parts import ladder_of
from grader.exercises.probe import Array, Probe, Tolerance
from grader.key.answer_key import Answer, AnswerKey, flatten
from grader.key.catalogue_check import check_catalogue
from grader.sandbox.shared.calling import Form, make_call
from grader.sandbox.shared.smooth import SMOOTH


def build_key(course: Course, seed: int, *, mistakes: bool = True) -> AnswerKey:
    """Build the answer key of a seed from the course's solutions.

    Raises `CourseError` where a solution is missing, raises, or disagrees with the second reference.
    """
    solutions = load_solutions(course, asked_names())
    check_catalogue(solutions.mistakes, MISTAKES, asked_names())
    probes = tuple(probe for exercise in EXERCISES.values() for probe in draw_probes(exercise, seed))
    answers: dict[str, Answer] = {}
    for exercise in EXERCISES.values():
        _refuse_unchecked(exercise)
        names = {function.name for function in exercise.functions}
        for probe in probes:
            if probe.call.function in names and (answer := _right_answer(exercise, probe, solutions)) is not None:
                answers[probe.id] = answer
    wrong = _evaluate_mistakes(probes, solutions) if mistakes else {}
    digest = digest_inputs(seed, probes, digest_sources(course))
    return AnswerKey(seed, digest, probes, MappingProxyType(answers), MappingProxyType(wrong))


def draw_probes(exercise: Exercise, seed: int) -> tuple[Probe, ...]:
    """Return the exercise's probes of this seed. Each exercise has a stream of its own."""
    return ladder_of(exercise).probes(np.random.default_rng([seed, crc32(exercise.slug.encode())]))


def _refuse_unchecked(exercise: Exercise) -> None:
    """Raise `CourseError` where an exercise does not say how the reference of a function is checked."""
    second = ladder_of(exercise).second
    for function in exercise.functions:
        if function.name not in second:
            message = (
                f"The ladder of {exercise.slug} does not say which second reference checks {function.name}. Name it "
                f"in `second` in grader/exercises/{exercise.slug}/ladder.py, or say there why none is needed."
            )
            raise CourseError(message)


def _right_answer(exercise: Exercise, probe: Probe, solutions: Solutions) -> Answer | None:
    """Return what is right for a probe; None where it only serves others, or a person reads the answer."""
    call = probe.call
    if call.constant and isinstance(solutions.references[call.function], list):
        return Answer(words=tuple(solutions.references[call.function]))
    if not probe.judged:
        return None
    if isinstance(call.args[0] if call.args else None, Smooth):
        gradients = ladder_of(exercise).gradients
        times = [args for args in (call.args, call.again) if args is not None]
        return Answer(tuple(np.asarray(gradients[f.name](np.asarray(x, dtype=float))) for f, x, *_ in times))
    answer = evaluate(solutions.references[call.function], call)
    if answer.raises != probe.raises:
        message = (
            f"The reference for {call.function} gives {answer.raises or 'a value'} on {probe.id} "
            f"where the exercise promises {probe.raises or 'a value'}. Mend solutions/{exercise.slug}.py."
        )
        raise CourseError(message)
    if probe.raises is None:
        _cross_check(exercise, call, answer, solutions)
        return answer._replace(items=tuple(map(_as_promised, answer.items, probe.tolerances)))
    return answer


def _as_promised(item: Array, tolerance: Tolerance) -> Array:
    """Return a right result as floats where it has a tolerance: of integers a student may return floats."""
    return item.astype(np.float64) if tolerance.right and item.dtype.kind in "iu" else item


def evaluate(function: Callable[..., Any], call: Call) -> Answer:
    """Make the call here, with fresh arguments, as the sandbox makes it for a student."""
    again = None if call.again is None else _arguments(call.again)
    # What is right is computed in double precision, whatever the student gets.
    form = Form(call.order, readonly=call.readonly)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            made = make_call(function, _arguments(call.args), again, form)
            items = flatten(made.value)
    except Exception as error:  # noqa: BLE001 (any exception of a known mistake is its answer)
        return Answer(raises=type(error).__name__)
    changed = call.echo and any(
        not np.array_equal(after, before)
        for after, before in zip(made.args, call.args, strict=True)
        if isinstance(before, np.ndarray)
    )
    return Answer(items, changed=changed)


def _arguments(args: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(SMOOTH[value.name] if isinstance(value, Smooth) else value for value in args)


def _cross_check(exercise: Exercise, call: Call, answer: Answer, solutions: Solutions) -> None:
    """Raise `CourseError` where the exercise's second reference disagrees with the reference."""
    second = ladder_of(exercise).second[call.function]
    if isinstance(second, str):
        return
    if second.name not in solutions.others:
        message = f"No file in solutions/ defines {second.name}, which checks {call.function}. Write it there."
        raise CourseError(message)
    results = second.compute(call, solutions.others[second.name])
    per_call = len(answer.items) // len(results)
    for k, (value, bound) in enumerate(results):
        if not np.max(np.abs(answer.items[k * per_call] - value), initial=0.0) <= bound:
            message = (
                f"The references for {call.function} and {second.name} disagree on {call.id} by more than {bound:.1e}. "
                f"No key is built; mend solutions/{exercise.slug}.py or the file of {second.name}."
            )
            raise CourseError(message)


def _evaluate_mistakes(probes: Sequence[Probe], solutions: Solutions) -> dict[str, dict[str, dict[str, Answer]]]:
    small: dict[str, list[Probe]] = {}
    for probe in probes:
        if probe.judged and probe.naming:
            small.setdefault(probe.call.function, []).append(probe)
    return {
        name: {
            code: {probe.id: evaluate(function, probe.call) for probe in small.get(name, ())}
            for code, function in table.items()
        }
        for name, table in solutions.mistakes.items()
    }


def digest_inputs(seed: int, probes: Sequence[Probe], sources: str) -> str:
    """Return the SHA-256 over inputs, tolerances and sources: not over computed floats, which differ between CPUs."""
    digest = hashlib.sha256(f"{seed} {sources}".encode())
    for probe in probes:
        digest.update(json.dumps([probe.id, probe.checks, probe.raises]).encode())
        tolerances = [
            [tolerance.right, tolerance.note, tolerance.scale, tolerance.floor] for tolerance in probe.tolerances
        ]
        digest.update(
            json.dumps(tolerances).encode()
        )  # as JSON, because `repr` spells NumPy's floats and Python's in two ways
        for value in (*probe.call.args, *(probe.call.again or ())):
            if isinstance(value, np.ndarray):
                digest.update(f"{value.dtype.str}{value.shape}".encode() + np.ascontiguousarray(value).tobytes())
            else:
                digest.update(repr(value).encode())
    return digest.hexdigest()
