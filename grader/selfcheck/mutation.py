"""Edits of a Python source made by rule, one at a time: what a slip of the pen would leave. Pure; nothing is run.

The rules are those of mutation testing that apply to short NumPy functions: operators exchanged, operands dropped or
swapped, constants moved, keywords and arguments dropped, calls and statements removed, comparisons and conditions
turned round, a parameter or one of NumPy's functions taken for another.
"""

import ast
import copy
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple

_EXCHANGED: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.Add),
    ast.Div: (ast.Mult, ast.FloorDiv),
    ast.FloorDiv: (ast.Div, ast.Mult),
    ast.Mod: (ast.FloorDiv, ast.Mult),
    ast.Pow: (ast.Mult,),
    ast.MatMult: (ast.Mult,),
}
_COMMUTATIVE = (ast.Add, ast.Mult)
_COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt, ast.Eq),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.Lt, ast.Eq),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_TAKEN_FOR: dict[str, tuple[str, ...]] = {
    "max": ("min", "mean", "sum"),
    "min": ("max",),
    "sum": ("mean", "max", "prod"),
    "mean": ("sum",),
    "exp": ("exp2", "expm1"),
    "sqrt": ("cbrt", "square"),
    "argmax": ("argmin",),
    "argmin": ("argmax",),
    "zeros_like": ("ones_like",),
    "zeros": ("ones",),
    "vstack": ("hstack",),
    "hstack": ("vstack",),
    "concatenate": ("stack",),
    "outer": ("multiply", "inner"),
    "diag": ("sum",),
    "float64": ("float32", "int64"),
    "asarray": ("array",),
}
_NOT_EDITED = frozenset({"annotation", "returns", "decorator_list", "type_params", "ctx"})


class Mutant(NamedTuple):
    """One edit: where it stands, the lines before and after, and the whole source with it."""

    function: str
    before: str
    after: str
    text: str

    @property
    def edit(self) -> str:
        """The edit in one line; `equivalents.toml` names it by that line."""
        return f"{self.function}: {self.before or '(nothing)'} -> {self.after or '(nothing)'}"


def make_mutants(text: str, constants: Collection[str] = ()) -> list[Mutant]:
    """Return every edit of a source's functions, and of these constants; what changes nothing is left out."""
    lines = text.splitlines()
    found: dict[str, Mutant] = {}
    for statement in ast.parse(text).body:
        name = _name_of(statement, constants)
        if name is None:
            continue
        plain = ast.unparse(statement)
        start = min([statement.lineno, *(one.lineno for one in getattr(statement, "decorator_list", ()))]) - 1
        for edited in _edits(statement, _parameters(statement)):
            changed = ast.unparse(edited)
            before, after = _difference(plain, changed)
            if before != after:
                whole = [*lines[:start], changed, *lines[statement.end_lineno :], ""]
                mutant = Mutant(name, before, after, "\n".join(whole))
                found.setdefault(mutant.edit, mutant)
    return list(found.values())


def _name_of(statement: ast.stmt, constants: Collection[str]) -> str | None:
    """Return the name that a top-level statement defines; None where it is no function or listed constant."""
    match statement:
        case ast.FunctionDef(name=name):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]) if name in constants:
            return name
        case _:
            return None


def _parameters(statement: ast.stmt) -> tuple[str, ...]:
    return tuple(one.arg for one in statement.args.args) if isinstance(statement, ast.FunctionDef) else ()


def _difference(before: str, after: str) -> tuple[str, str]:
    """Return the lines in which two sources differ, in one line each."""
    old, new = before.splitlines(), after.splitlines()
    while old and new and old[0] == new[0]:
        old, new = old[1:], new[1:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    one, other = ("; ".join(line.strip() for line in lines) for lines in (old, new))
    return one, other


def _edits(node: ast.AST, parameters: Sequence[str]) -> Iterator[ast.AST]:
    """Yield copies of a tree, each with one edit; what does not change is shared with the original."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in parameters:
        yield from (ast.Name(other, node.ctx) for other in parameters if other != node.id)
    for kind, rule in _RULES:
        if isinstance(node, kind):
            yield from rule(node)
    for name, value in ast.iter_fields(node):
        if name in _NOT_EDITED:
            continue
        if isinstance(value, ast.AST):
            for edited in _edits(value, parameters):
                yield _with(node, name, edited)
        elif isinstance(value, list):
            yield from _edits_of_list(node, name, value, parameters)


def _edits_of_list(node: ast.AST, name: str, items: list[Any], parameters: Sequence[str]) -> Iterator[ast.AST]:
    for k, item in enumerate(items):
        if not isinstance(item, ast.AST) or _is_docstring(item):
            continue
        for edited in _edits(item, parameters):
            yield _with(node, name, [*items[:k], edited, *items[k + 1 :]])
        if isinstance(item, ast.stmt) and not isinstance(item, ast.Return | ast.FunctionDef):
            yield _with(node, name, [*items[:k], *items[k + 1 :]] or [ast.Pass()])


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _with(node: ast.AST, name: str, value: Any) -> ast.AST:
    changed = copy.copy(node)
    setattr(changed, name, value)
    return changed


def _without(items: Sequence[Any]) -> Iterator[list[Any]]:
    return ([*items[:k], *items[k + 1 :]] for k in range(len(items)))


def _swapped(items: Sequence[Any]) -> Iterator[list[Any]]:
    return ([*items[:k], items[k + 1], items[k], *items[k + 2 :]] for k in range(len(items) - 1))


def _edit_operation(node: ast.BinOp) -> Iterator[ast.AST]:
    for kind in _EXCHANGED.get(type(node.op), ()):
        yield _with(node, "op", kind())
    yield node.left
    yield node.right
    if not isinstance(node.op, _COMMUTATIVE):
        yield ast.BinOp(node.right, node.op, node.left)


def _edit_step(node: ast.AugAssign) -> Iterator[ast.AST]:
    for kind in _EXCHANGED.get(type(node.op), ()):
        yield _with(node, "op", kind())
    yield ast.Assign([node.target], node.value, lineno=node.lineno)


def _edit_constant(node: ast.Constant) -> Iterator[ast.AST]:
    match node.value:
        case bool():
            yield ast.Constant(not node.value)
        case int() | float():
            others = {node.value + 1, node.value - 1, 2 * node.value, type(node.value)(0)} - {node.value}
            yield from (ast.Constant(other) for other in sorted(others))


def _edit_comparison(node: ast.Compare) -> Iterator[ast.AST]:
    for kind in _COMPARED.get(type(node.ops[0]), ()):
        yield _with(node, "ops", [kind(), *node.ops[1:]])


def _edit_choice(node: ast.IfExp) -> Iterator[ast.AST]:
    yield node.body
    yield node.orelse
    yield ast.IfExp(node.test, node.orelse, node.body)


def _edit_call(node: ast.Call) -> Iterator[ast.AST]:
    yield from (_with(node, "keywords", fewer) for fewer in _without(node.keywords))
    yield from (_with(node, "args", fewer) for fewer in _without(node.args))
    yield from (_with(node, "args", other) for other in _swapped(node.args))
    yield from (argument for argument in node.args if not isinstance(argument, ast.Starred | ast.GeneratorExp))
    if isinstance(node.func, ast.Attribute) and not _is_module(node.func.value):
        yield node.func.value  # a method that is not called


def _is_module(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in ("np", "math")


def _edit_attribute(node: ast.Attribute) -> Iterator[ast.AST]:
    yield from (_with(node, "attr", other) for other in _TAKEN_FOR.get(node.attr, ()))
    if not _is_module(node.value) and not node.attr.startswith("_") and node.attr in ("T", "shape"):
        yield node.value


def _edit_subscript(node: ast.Subscript) -> Iterator[ast.AST]:
    if isinstance(node.ctx, ast.Load):
        yield node.value


def _edit_row(node: ast.Tuple | ast.List) -> Iterator[ast.AST]:
    if isinstance(node.ctx, ast.Load):
        yield from (_with(node, "elts", fewer) for fewer in _without(node.elts))
        yield from (_with(node, "elts", other) for other in _swapped(node.elts))


def _edit_condition(node: ast.If) -> Iterator[ast.AST]:
    yield _with(node, "test", ast.UnaryOp(ast.Not(), node.test))


_RULES: tuple[tuple[type[ast.AST] | tuple[type[ast.AST], ...], Callable[[Any], Iterator[ast.AST]]], ...] = (
    (ast.BinOp, _edit_operation),
    (ast.AugAssign, _edit_step),
    (ast.UnaryOp, lambda node: iter([node.operand])),
    (ast.BoolOp, lambda node: iter(node.values)),
    (ast.BoolOp, lambda node: iter([_with(node, "op", ast.Or() if isinstance(node.op, ast.And) else ast.And())])),
    (ast.Constant, _edit_constant),
    (ast.Compare, _edit_comparison),
    (ast.IfExp, _edit_choice),
    (ast.Call, _edit_call),
    (ast.Attribute, _edit_attribute),
    (ast.Subscript, _edit_subscript),
    ((ast.Tuple, ast.List), _edit_row),
    (ast.If, _edit_condition),
)
