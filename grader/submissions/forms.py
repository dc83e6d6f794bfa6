"""Whether two definitions are the same, and whether one is more than the shipped stub."""

import ast
import re
from collections.abc import Iterable
from functools import lru_cache

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


def normal_form(node: ast.AST) -> str:
    """Return the form of a definition in which comments, layout and docstrings do not count.

    Parameters
    ----------
    node : ast.AST
        A function or class definition: its body counts. Any other node counts as a whole; for an assigned constant
        give the value.

    Returns
    -------
    str
        Comparable within one Python version only.
    """
    if isinstance(node, FunctionNode | ast.ClassDef):
        return "\n".join(dump(statement) for statement in _body(node))
    return dump(node)


def dump(node: ast.AST, around: ast.AST | None = None) -> str:
    """Return a tree as a string; one that is too deep for that only equals itself."""
    try:
        return ast.dump(node)
    except RecursionError:
        place = around or node
        return f"too deep to compare, {getattr(place, 'lineno', 0)}-{getattr(place, 'end_lineno', 0)}"


def names_in_text(text: str, names: Iterable[str]) -> list[str]:
    """Return the names that a string which does not parse seems to define, line by line."""
    wanted = tuple(names)
    seen = {match[1] or match[2] for match in _looks_defined(wanted).finditer(text)}
    return [name for name in wanted if name in seen]


@lru_cache(maxsize=32)
def _looks_defined(names: tuple[str, ...]) -> re.Pattern[str]:
    one = "|".join(map(re.escape, names))
    # In the raw text of a broken notebook a line begins after a quote or an escaped line feed.
    start = r"(?:^|\"|\\n)[^\S\n]*"
    return re.compile(
        rf"{start}(?:(?:(?:async\s+)?def|class)\s+({one})\b|({one})\s*(?::[^=\n]{{1,200}})?=(?!=))", re.MULTILINE
    )


def is_stub_body(node: FunctionNode | ast.ClassDef, shipped: str | None) -> bool:
    """Return whether a function or class does nothing, or nothing but what the shipped one does."""
    body = _body(node)
    if all(map(_does_nothing, body)):
        return True
    # As many statements as the stub: comparing their number is cheaper than writing the tree down.
    return shipped is not None and shipped.count("\n") + 1 == len(body) and normal_form(node) == shipped


def is_stub_value(value: ast.expr, shipped: str | None) -> bool:
    """Return whether an assigned value is empty, or the shipped one."""
    return _is_empty(value) or (shipped is not None and normal_form(value) == shipped)


def _body(node: FunctionNode | ast.ClassDef) -> list[ast.stmt]:
    match node.body[0]:
        case ast.Expr(value=ast.Constant(value=str())):
            return node.body[1:]
    return node.body


def _is_empty(value: ast.expr) -> bool:
    match value:
        case ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[]):
            return True
        case ast.Constant(value=str() as text):
            return not text.strip()
        case ast.Constant(value=constant):
            return constant is None or constant is Ellipsis
        case ast.Call(func=ast.Name(id="list" | "tuple" | "str" | "dict"), args=[], keywords=[]):
            return True
    return False


def _does_nothing(statement: ast.stmt) -> bool:
    match statement:
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Raise(exc=ast.Name(id="NotImplementedError") | ast.Call(func=ast.Name(id="NotImplementedError"))):
            return True
    return False
