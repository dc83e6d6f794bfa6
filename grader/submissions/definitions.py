"""Where a file defines the names that are asked for, and whether a definition is more than the shipped stub."""

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

CHANGES = frozenset({"append", "extend", "insert"})
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


class Site(NamedTuple):
    """One place that defines a name. `value` is set for an assignment: the expression, where it can be told."""

    name: str
    node: ast.stmt
    cell: int | None
    value: ast.expr | None = None
    stub: bool = False

    @property
    def line(self) -> int:
        """The line, from 1, in the script or cell."""
        return self.node.lineno


def find_sites(
    tree: ast.Module, names: Collection[str], *, siblings: Collection[str] = (), cell: int | None = None
) -> Iterator[Site]:
    """Find the definitions of asked-for names at the top level of a module, in order of lines.

    Parameters
    ----------
    tree : ast.Module
        A script or a cell.
    names : collection of str
        The asked-for names.
    siblings : collection of str
        Modules of the submission and stems of exercises: an import from these brings a name in, it does not define it.
    cell : int, optional
        The cell's number. Without one the tree is a script's, where code below ``if __name__ == "__main__":`` does
        not run.

    Yields
    ------
    Site
        One for each definition, also inside `if`, `try`, `with`, `for`, `while` and `match`.
    """
    for node in _statements(tree.body, guard=cell is None):
        for name, value in _bindings(node, siblings):
            if name in names:
                yield Site(name, node, cell, value)


def effective(sites: Iterable[Site], stubs: Mapping[str, str]) -> list[Site]:
    """Mark stubs, and drop assignments that only wrap what was defined before (`attention = timed(attention)`)."""
    kept: list[Site] = []
    functions: set[str] = set()
    for site in sites:
        if isinstance(site.node, FunctionNode | ast.ClassDef):
            functions.add(site.name)
        elif site.name in functions and _mentions(site.node, site.name):
            continue
        kept.append(Site(site.name, site.node, site.cell, site.value, stub=_is_stub(site, stubs)))
    return kept


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
        return "\n".join(_dump(statement) for statement in _body(node))
    return _dump(node)


def _dump(node: ast.AST, around: ast.AST | None = None) -> str:
    try:
        return ast.dump(node)
    except RecursionError:
        place = around or node
        return f"too deep to compare, {getattr(place, 'lineno', 0)}-{getattr(place, 'end_lineno', 0)}"


def normal_forms(text: str, names: Collection[str]) -> dict[str, str]:
    """Return the normal forms of the asked-for names that a shipped stub defines; the last one of a name."""
    return {site.name: normal_form(site.value or site.node) for site in find_sites(ast.parse(text), names)}


def identity(site: Site) -> str:
    """Return what two definitions have in common if and only if they do the same: parameters, decorators and body."""
    if isinstance(site.node, FunctionNode):
        head = [_dump(site.node.args, site.node), *(_dump(decorator) for decorator in site.node.decorator_list)]
        return "\n".join([type(site.node).__name__, *head, normal_form(site.node)])
    return normal_form(site.value or site.node)


def names_in_text(text: str, names: Iterable[str]) -> list[str]:
    """Find the names that text which does not parse seems to define, line by line."""
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


def _statements(body: list[ast.stmt], *, guard: bool) -> Iterator[ast.stmt]:
    pending = list(reversed(body))
    while pending:
        node = pending.pop()
        yield node
        blocks: list[ast.stmt] = []
        match node:
            case ast.If() if guard and _is_main_guard(node.test):
                blocks = node.orelse
            case ast.If() | ast.For() | ast.AsyncFor() | ast.While():
                blocks = node.body + node.orelse
            case ast.With() | ast.AsyncWith():
                blocks = node.body
            case ast.Try() | ast.TryStar():
                handlers = [statement for handler in node.handlers for statement in handler.body]
                blocks = node.body + handlers + node.orelse + node.finalbody
            case ast.Match():
                blocks = [statement for case in node.cases for statement in case.body]
        pending += reversed(blocks)


def _is_main_guard(test: ast.expr) -> bool:
    match test:
        case ast.Compare(left=ast.Name(id="__name__"), ops=[ast.Eq()]):
            return True
        case ast.Compare(comparators=[ast.Name(id="__name__")], ops=[ast.Eq()]):
            return True
    return False


def _bindings(  # noqa: C901 - one case for each kind of statement
    node: ast.stmt, siblings: Collection[str]
) -> Iterator[tuple[str, ast.expr | None]]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name, None
        case ast.Assign():
            for target in node.targets:
                yield from _targets(target, node.value, siblings)
        case ast.AnnAssign(value=ast.expr()):
            yield from _targets(node.target, node.value, siblings)
        case ast.AugAssign(target=ast.Name(id=name)):
            yield name, None
        case ast.Expr(value=ast.NamedExpr(target=ast.Name(id=name), value=value)):
            yield name, value
        case ast.For(target=target) | ast.AsyncFor(target=target):
            yield from _targets(target, None, siblings)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr))) if attr in CHANGES:
            yield name, None
        case ast.ImportFrom():
            home = node.level > 0 or (node.module or "").split(".")[0] in siblings
            for alias in node.names:
                if not home or (alias.asname and alias.asname != alias.name):
                    yield alias.asname or alias.name, None


def _targets(
    target: ast.expr, value: ast.expr | None, siblings: Collection[str]
) -> Iterator[tuple[str, ast.expr | None]]:
    match target:
        case ast.Name(id=name):
            if not _is_passed_on(name, value, siblings):
                yield name, value
        case ast.Subscript(value=ast.Name(id=name)):
            yield name, None
        case ast.Starred():
            yield from _targets(target.value, None, siblings)
        case ast.Tuple() | ast.List():
            values: list[ast.expr | None] = [None] * len(target.elts)
            if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts):
                values = list(value.elts)
            for part, piece in zip(target.elts, values, strict=True):
                yield from _targets(part, piece, siblings)


def _is_passed_on(name: str, value: ast.expr | None, siblings: Collection[str]) -> bool:
    """Return whether the definition is elsewhere: `attention = third_key.attention`, `attention = attention`."""
    match value:
        case ast.Name(id=other):
            return other == name
        case ast.Attribute(value=ast.Name(id=module), attr=attribute):
            return attribute == name and module in siblings
    return False


def _mentions(node: ast.AST, name: str) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(node) if part is not node)


def _body(node: FunctionNode | ast.ClassDef) -> list[ast.stmt]:
    match node.body[0]:
        case ast.Expr(value=ast.Constant(value=str())):
            return node.body[1:]
    return node.body


def _is_stub(site: Site, stubs: Mapping[str, str]) -> bool:
    node = site.node
    if isinstance(node, FunctionNode | ast.ClassDef):
        if all(_does_nothing(statement) for statement in _body(node)):
            return True
        form = stubs.get(site.name)
        # As many statements as the stub: comparing their number is cheaper than writing the tree down.
        is_alike = form is not None and form.count("\n") + 1 == len(_body(node))
        return is_alike and normal_form(node) == form
    if site.value is None:
        return False
    return _is_empty(site.value) or (site.name in stubs and normal_form(site.value) == stubs[site.name])


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


def imported_modules(tree: ast.Module) -> set[str]:
    """Return the last parts of the module names that a file imports anywhere."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.rpartition(".")[2] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {(node.module or "").rpartition(".")[2], *(alias.name for alias in node.names)}
    return found - {""}
