"""The counterexample as Python that runs alone, laid out for a narrow page."""

import re

from grader.feedback.plain import wrap
from grader.report import Counterexample

_INDENT = "      "
_LINES = 12  # of one part
_GLUE = "\N{NO-BREAK SPACE}"


def lay_out(example: Counterexample, width: int) -> list[str]:
    """Return indented lines: the inputs, the call, the student's result and the right one as comments.

    Long lines of code are broken after commas only, which stand inside brackets: the snippet still runs.
    """
    code = [line for line in (*example.inputs.splitlines(), example.call) if line.strip()]
    rung = f" ({example.rung})" if example.rung else ""
    lines = wrap(f"The smallest case that shows it{rung}:", width, first="    ", most=2)
    for line in code:
        glued = re.sub("(?<!,) ", _GLUE, line)
        wrapped = wrap(glued, width, first=_INDENT, rest=_INDENT + "    ", most=_LINES)
        lines += [piece.replace(_GLUE, " ") for piece in wrapped]
    lines += wrap(example.student, width, first=f"{_INDENT}# yours: ", rest=f"{_INDENT}#        ", most=_LINES)
    if example.expected is not None and not example.secret:
        lines += wrap(example.expected, width, first=f"{_INDENT}# right: ", rest=f"{_INDENT}#        ", most=_LINES)
    return lines
