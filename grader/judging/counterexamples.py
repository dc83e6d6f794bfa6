"""A failing probe as Python that runs alone: inputs, the student's result, the right result."""

from typing import Any

import numpy as np

from grader.exercises.model import Array, Function
from grader.judging.probes import ProbeVerdict
from grader.key import Answer
from grader.report import ArrayEvidence, Counterexample
from grader.sandbox.calls import Ended, Opaque, Ref, Smooth, Wrapped

MOST_ENTRIES = 200  # more does not help a reader
DIGITS = 10  # of results; inputs are written exactly


def make_counterexample(verdict: ProbeVerdict, function: Function, answer: Answer | None) -> Counterexample:
    """Return the probe as text. Arguments are named as in the function's signature."""
    call = verdict.probe.call
    names = _parameters(function.signature)
    lines = ["import numpy as np"]
    shown = []
    for name, value in zip(names, call.args, strict=False):
        match value:
            case np.ndarray() if value.size <= MOST_ENTRIES:
                lines.append(f"{name} = {write_array(value)}")
                shown.append(name)
            case np.ndarray():
                lines.append(f"# {name}: shape {value.shape}, too large to print")
                shown.append(name)
            case Smooth():
                lines.append(f"# f: {value.name} (a smooth scalar function)")
                shown.append(name)
            case Ref():
                shown.append(name)
            case _:
                shown.append(repr(value))
    text = call.function if call.constant else f"{call.function}({', '.join(shown)})"
    return Counterexample(
        call=text,
        inputs="\n".join(lines),
        student=_write_reply(verdict),
        expected=None if answer is None else _write_answer(answer),
        rung=verdict.probe.rung,
        secret=function.secret,
    )


def _parameters(signature: str) -> list[str]:
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


def _write_value(value: Any) -> str:
    match value:
        case np.ndarray() if value.size <= MOST_ENTRIES:
            return write_array(value, digits=DIGITS)
        case np.ndarray():
            return f"an array of shape {value.shape}"
        case Wrapped():
            return f"{value.type_name}: {_write_value(value.value)}"
        case Opaque():
            return f"{value.type_name}: {value.why}"
        case tuple():
            return f"({', '.join(_write_value(part) for part in value)})"
        case _:
            text = repr(value)
            return text if len(text) <= 10 * MOST_ENTRIES else text[: 10 * MOST_ENTRIES] + "..."


def _write_answer(answer: Answer) -> str:
    if answer.raises is not None:
        return f"raises {answer.raises}"
    parts = [_write_value(item) for item in answer.items]
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


def make_evidence(verdict: ProbeVerdict) -> ArrayEvidence | None:
    """Return student's and right array of the first wrong item, where both are small enough to draw."""
    item = next((item for item in verdict.items if item.band.name == "WRONG"), None)
    if item is None or item.received is None or max(item.received.size, item.right.size) > MOST_ENTRIES:
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
