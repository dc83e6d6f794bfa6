"""A failing probe as Python that runs alone: inputs, the student's result, the right result."""

import math
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from grader.calls import Call, Ended, Opaque, Ref, Smooth, Wrapped
from grader.exercises.exercise import Function
from grader.exercises.probe import Array
from grader.judging.verdicts import ProbeVerdict
from grader.key.answer_key import Answer
from grader.report import ArrayEvidence, Counterexample
from grader.sandbox.shared.smooth import EXPRESSIONS, WEIGHTS

MOST_ENTRIES = 200  # more does not help a reader
LONGEST = 2000  # characters of one value that is no array
DIGITS = 10  # of results; inputs are written exactly


def make_counterexample(verdict: ProbeVerdict, function: Function, answer: Answer | None) -> Counterexample:
    """Return the probe as Python source. Arguments are named as in the function's signature."""
    call = verdict.probe.call
    names = parameters(function.signature)
    lines = ["import numpy as np"]
    text = call.function if call.constant else _write_call(call, names, call.args, lines)
    if call.again is not None:
        text = f"({text}, {_write_call(call, [name + '2' for name in names], call.again, lines)})"
    return Counterexample(
        call=text,
        inputs="\n".join(lines),
        student=_write_reply(verdict),
        expected=None if answer is None else _write_answer(answer, twice=call.again is not None),
        rung=verdict.probe.rung,
        secret=function.secret or verdict.probe.secret,
    )


def _write_call(call: Call, names: Sequence[str], args: Sequence[Any], lines: list[str]) -> str:
    """Return the call as an expression; the lines that bind its names are added to `lines`."""
    shown = []
    for name, value in zip(names, args, strict=False):
        shown.append(name)
        match value:
            case np.ndarray() if _is_short(value):
                lines.append(f"{name} = {_write_argument(value, call)}")
                lines += [f"{name}.flags.writeable = False"] if call.readonly else []
            case np.ndarray():
                lines.append(f"# {name}: shape {value.shape}, too large to print")
            case Smooth():
                lines.append(f"{name} = {write_smooth(value.name)}  # {value.name}")
            case Ref():
                pass
            case _:
                shown[-1] = repr(value)
    return f"{call.function}({', '.join(shown)})"


def write_smooth(name: str) -> str:
    """Return a smooth function as one expression of an array of any shape."""
    meaning = {"x": "x.ravel()", "w": f"({WEIGHTS})"}
    spelled = re.sub(r"\b[xw]\b", lambda found: meaning[found[0]], EXPRESSIONS[name])
    return f"lambda x: float({spelled})"


def _write_argument(value: Array, call: Call) -> str:
    """Return an array as Python source that gives it in the type and the memory layout in which it came."""
    written = write_array(value)
    if call.single and value.dtype.kind == "f":
        written = f"{written}.astype(np.float32)"
    if call.order == "F":
        return f"np.asfortranarray({written})"
    return f"np.repeat({written}, 2, axis=-1)[..., ::2]" if call.order == "S" and value.ndim else written


def _is_short(value: Array) -> bool:
    """Whether an array is short enough to show. A length of 0 counts as 1: empty arrays may have long axes."""
    return bool(math.prod(max(extent, 1) for extent in value.shape) <= MOST_ENTRIES)


def parameters(signature: str) -> list[str]:
    """Return the names of the parameters in a signature such as `softmax(x, axis=-1)`."""
    inside = signature.partition("(")[2].rpartition(")")[0]
    return [part.partition("=")[0].strip() for part in inside.split(",") if part.strip()]


def write_array(value: Array, *, digits: int | None = None) -> str:
    """Return an array as Python source: exactly, or to so many significant digits."""
    text = repr(_spelled(value.tolist(), digits)).replace("nan", "np.nan").replace("inf", "np.inf")
    empty = "" if value.size else f".reshape({value.shape})"
    return f"np.array({text}){empty}"


def _spelled(cell: Any, digits: int | None) -> Any:
    if isinstance(cell, list):
        return [_spelled(part, digits) for part in cell]
    return float(f"{cell:.{digits}g}") if digits is not None and isinstance(cell, float) else cell


def _write_reply(verdict: ProbeVerdict) -> str:
    reply = verdict.reply
    if reply.ended is Ended.RETURNED:
        return _write_value(reply.value)
    if reply.error is not None:
        return f"raises {reply.error.type}: {reply.error.message}"[:MOST_ENTRIES]
    return reply.ended.value


def _write_value(value: Any) -> str:  # noqa: PLR0911 (one line for each kind)
    match value:
        case np.ndarray() if value.ndim == 0:
            return repr(_spelled(value.item(), DIGITS))
        case np.ndarray() if _is_short(value):
            return write_array(value, digits=DIGITS)
        case np.ndarray():
            return f"an array of shape {value.shape}"
        case Wrapped():
            return f"{value.type_name}: {_write_value(value.value)}"
        case Opaque():
            return f"{value.type_name}: {value.why}"
        case tuple() | list():
            inside = _join_some(map(_write_value, value), len(value))
            return f"({inside})" if isinstance(value, tuple) else f"[{inside}]"
        case dict():
            pairs = (f"{_write_value(key)}: {_write_value(item)}" for key, item in value.items())
            return f"{{{_join_some(pairs, len(value))}}}"
        case str() | bytes():
            return _cut(repr(value[: LONGEST + 1]))
        case _:
            return _cut(repr(value))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[:LONGEST] + "..."


def _join_some(written: Iterator[str], count: int) -> str:
    """Join the first of `count` written values: at most `MOST_ENTRIES`, ending soon after `LONGEST` characters.

    Each value is written only when its turn comes: writing a dict of thousands of arrays in full would take minutes.
    """
    shown: list[str] = []
    length = 0
    for text in islice(written, MOST_ENTRIES):
        shown.append(text)
        length += len(text)
        if length > LONGEST:
            break
    return ", ".join(shown if len(shown) == count else [*shown, "..."])


def _write_answer(answer: Answer, *, twice: bool) -> str:
    if answer.raises is not None:
        return f"raises {answer.raises}"
    parts = [_write_value(item) for item in answer.items]
    half = len(parts) // 2
    return f"({_join(parts[:half])}, {_join(parts[half:])})" if twice else _join(parts)


def _join(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


def make_evidence(verdict: ProbeVerdict, wanted: Sequence[int] | None = None) -> ArrayEvidence | None:
    """Return both arrays of the first wrong thing among those wanted; None where they cannot be shown."""
    k = verdict.worst_item(wanted)
    item = None if k is None else verdict.items[k]
    if item is None or item.received is None or not (_is_short(item.received) and _is_short(item.right)):
        return None
    error = item.error if item.error is not None and np.isfinite(item.error) else None
    return ArrayEvidence(student=_plain(item.received), expected=_plain(item.right), max_error=error)


def _plain(value: Array) -> Any:
    """Return nested lists for JSON; what is not finite becomes a word."""

    def cell(number: Any) -> Any:
        if isinstance(number, list):
            return [cell(part) for part in number]
        return number if np.isfinite(number) else str(number)

    return cell(value.tolist())
