"""The counterexample as Python that runs alone, laid out for a narrow page."""

import re

from grader.feedback.plain import measure, wrap
from grader.report import Counterexample

_INDENT = "      "
_LINES = 12  # of one part
_GLUE = "\N{NO-BREAK SPACE}"
# Spaces where a line is not broken: everywhere but between rows; where a row is too long, everywhere but after commas.
_INSIDE_ROWS, _INSIDE_ITEMS = re.compile(r"(?<![\])],) "), re.compile("(?<!,) ")


def lay_out(example: Counterexample, width: int) -> list[str]:
    """Return indented lines: the inputs, the call, the student's result and the right one as comments.

    Long lines of code are broken after commas only, which stand inside brackets: the snippet still runs.
    """
    rung = f" ({example.rung})" if example.rung else ""
    lines = wrap(f"The smallest case that shows it{rung}:", width, first="    ", most=2)
    for line in (*example.inputs.splitlines(), example.call):
        if line.strip():
            lines += _break_code(line, width, _INDENT, f"{_INDENT}    ")
    lines += _break_code(example.student, width, f"{_INDENT}# yours: ", f"{_INDENT}#        ")
    if example.expected is not None and not example.secret:
        lines += _break_code(example.expected, width, f"{_INDENT}# right: ", f"{_INDENT}#        ")
    return lines


def _break_code(text: str, width: int, first: str, rest: str) -> list[str]:
    glued = _INSIDE_ROWS.sub(_GLUE, text)
    if max(measure(piece) for piece in glued.split(" ")) > width - measure(rest):
        glued = _INSIDE_ITEMS.sub(_GLUE, text)
    return [line.replace(_GLUE, " ") for line in wrap(glued, width, first=first, rest=rest, most=_LINES)]
