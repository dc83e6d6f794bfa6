"""Lay out a counterexample as Python that runs alone, on a narrow page."""

import ast
import re

from grader.feedback.plain import measure, wrap
from grader.report import Counterexample

_INDENT = "      "
_LINES = 12  # of one part: more would push the next finding off the screen
_GLUE = "\N{NO-BREAK SPACE}"
# Spaces at which a line is not broken: all but those between rows, and where a row is too long, all but those after
# commas.
_INSIDE_ROWS, _INSIDE_ITEMS = re.compile(r"(?<![\])],) "), re.compile("(?<!,) ")


def lay_out(example: Counterexample, width: int) -> list[str]:
    """Return indented lines: the inputs, the call as a comment, the student's result and the right one.

    The lines run as they stand, without anybody's file: `yours` and `right` are arrays to look at. Long lines of code
    are broken after commas only, because those stand inside brackets, where Python goes on in the next line.
    """
    rung = f" ({example.rung})" if example.rung else ""
    lines = wrap(f"The smallest case that shows it{rung}:", width, first="    ", most=2)
    for line in (*example.inputs.splitlines(), f"# {example.call}"):
        if line.strip():
            lines += _break_code(line, width, _INDENT, f"{_INDENT}    ")
    lines += _lay_out_result("yours", example.student, width)
    if example.expected is not None and not example.secret:
        lines += _lay_out_result("right", example.expected, width)
    return lines


def _lay_out_result(name: str, text: str, width: int) -> list[str]:
    """Bind a value to a name, or write a comment where the text is no value (an exception, a generator)."""
    if _is_expression(text):
        return _break_code(text, width, f"{_INDENT}{name} = ", f"{_INDENT}    ")
    return wrap(text, width, first=f"{_INDENT}# {name}: ", rest=f"{_INDENT}#        ", most=_LINES)


def _is_expression(text: str) -> bool:
    """Return whether `text` is a value that can be written down with nothing but NumPy."""
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return all(node.id == "np" for node in ast.walk(tree) if isinstance(node, ast.Name))


def _break_code(text: str, width: int, first: str, rest: str) -> list[str]:
    glued = _INSIDE_ROWS.sub(_GLUE, text)
    if max(measure(piece) for piece in glued.split(" ")) > width - measure(rest):
        glued = _INSIDE_ITEMS.sub(_GLUE, text)
    return [line.replace(_GLUE, " ") for line in wrap(glued, width, first=first, rest=rest, most=_LINES)]
