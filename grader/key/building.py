"""Build the answer key of a seed from the reference solutions.

Each expected attention output is computed by two references, the direct one and the blockwise online softmax; no
key is built where they disagree. Mistakes are evaluated on the small probes only.
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
from grader.exercises.ladders.model import Array, Probe
from grader.exercises.ladders.registry import LADDERS
from grader.exercises.ladders.third_key import PAGE_K3, PAGE_Q, PAGE_V3
from grader.exercises.mistakes import MISTAKES
from grader.exercises.model import Exercise
from grader.key.catalogue_check import check_catalogue
from grader.key.model import Answer, AnswerKey, flatten
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
        for probe in probes:
            if probe.judged and probe.call.function in {function.name for function in exercise.functions}:
                answers[probe.id] = _right_answer(exercise, probe, solutions)
    wrong = _evaluate_mistakes(probes, solutions) if mistakes else {}
    digest = digest_inputs(seed, probes, digest_sources(course))
    return AnswerKey(seed, digest, probes, MappingProxyType(answers), MappingProxyType(wrong))


def draw_probes(exercise: Exercise, seed: int) -> tuple[Probe, ...]:
    """Return the exercise's probes of this seed. Each exercise has a stream of its own."""
    return LADDERS[exercise.slug].probes(np.random.default_rng([seed, crc32(exercise.slug.encode())]))


def _right_answer(exercise: Exercise, probe: Probe, solutions: Solutions) -> Answer:
    call = probe.call
    if isinstance(call.args[0] if call.args else None, Smooth):
        right = LADDERS[exercise.slug].gradients[call.args[0].name](np.asarray(call.args[1], dtype=float))
        return Answer((right,))
    answer = evaluate(solutions.references[call.function], call)
    if answer.raises != probe.raises:
        message = (
            f"The reference for {call.function} gives {answer.raises or 'a value'} on {probe.id} "
            f"where the exercise promises {probe.raises or 'a value'}. Mend solutions/{exercise.slug}.py."
        )
        raise CourseError(message)
    if probe.raises is None:
        _cross_check(exercise.slug, call, answer, solutions)
    return answer


def evaluate(function: Callable[..., Any], call: Call) -> Answer:
    """Make the call here, with fresh arguments, as the sandbox makes it for a student."""
    first = _arguments(call, call.args)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            value = function(*first)
            if call.again is not None:
                value = (value, function(*_arguments(call, call.again)))
            items = flatten(value)
    except Exception as error:  # noqa: BLE001 (any exception of a known mistake is its answer)
        return Answer(raises=type(error).__name__)
    changed = call.echo and any(
        not np.array_equal(after, before)
        for after, before in zip(first, call.args, strict=True)
        if isinstance(before, np.ndarray)
    )
    return Answer(items, changed=changed)


def _arguments(call: Call, args: Sequence[Any]) -> list[Any]:
    def fresh(value: Any) -> Any:
        if isinstance(value, Smooth):
            return SMOOTH[value.name]
        if not isinstance(value, np.ndarray):
            return value
        copy = np.array(value, order=call.order)  # type: ignore[call-overload]
        copy.flags.writeable = not call.readonly
        return copy

    return [fresh(value) for value in args]


def _cross_check(slug: str, call: Call, answer: Answer, solutions: Solutions) -> None:
    """Raise `CourseError` where the blockwise reference disagrees with the direct one on an attention output."""
    inputs = [args for args in (call.args, call.again) if args is not None]
    if call.function == "third_key":
        inputs = [(PAGE_Q, PAGE_K3, PAGE_V3)]
    elif call.function not in ("attention", "multi_head_attention"):
        return
    per_call = len(answer.items) // len(inputs)
    for k, args in enumerate(inputs):
        Q, K, V = (np.asarray(array, dtype=float) for array in args[:3])
        heads = args[3] if len(args) > 3 else 1  # noqa: PLR2004 (Q, K, V, num_heads)
        second, bound = _blockwise(Q, K, V, heads, solutions.blockwise)
        if not np.max(np.abs(answer.items[k * per_call] - second), initial=0.0) <= bound:
            message = (
                f"The direct and the blockwise reference disagree on {call.id} by more than {bound:.1e}. "
                f"No key is built; mend solutions/{slug}.py or solutions/blockwise.py."
            )
            raise CourseError(message)


def _blockwise(Q: Array, K: Array, V: Array, heads: int, reference: Callable[..., Any]) -> tuple[Array, float]:
    """Return the blockwise output and how far the direct one may be from it: max(1e-12, 4 eps max|score|) max|V|."""
    m = K.shape[0]
    # A block size that does not divide m, wherever there is one.
    block = next((size for size in range(2, m) if m % size), 1)
    parts = [np.split(array, heads, axis=1) for array in (Q, K, V)]
    output = np.concatenate([reference(q, k, v, block) for q, k, v in zip(*parts, strict=True)], axis=1)
    score = max(float(np.max(np.abs(q @ k.T))) / np.sqrt(q.shape[1]) for q, k in zip(*parts[:2], strict=True))
    eps = float(np.finfo(np.float64).eps)
    return output, max(1e-12, 4 * eps * score) * float(np.max(np.abs(V)))


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
        limits = [[limit.right, limit.note, limit.scale, limit.floor] for limit in probe.limits]
        digest.update(json.dumps(limits).encode())  # NumPy's floats spell themselves otherwise with repr
        for value in (*probe.call.args, *(probe.call.again or ())):
            if isinstance(value, np.ndarray):
                digest.update(f"{value.dtype.str}{value.shape}".encode() + np.ascontiguousarray(value).tobytes())
            else:
                digest.update(repr(value).encode())
    return digest.hexdigest()
