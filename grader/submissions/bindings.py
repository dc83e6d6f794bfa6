"""What the statements of a file bind: names, the expressions behind them, and what imports bring in."""

import ast
from collections.abc import Collection, Iterator
from typing import NamedTuple

CHANGES = frozenset({"append", "extend", "insert"})


class Binding(NamedTuple):
    """A name that a statement binds. `value` is the expression, where it can be told; see `Standing.IMPORTED`."""

    name: str
    value: ast.expr | None = None
    imported: str = ""  # the name over there
    attribute: bool = False  # not the name is bound, but an attribute of what it stands for


class Known:
    """What a file's imports have brought in so far: local name to its place in the submission, or elsewhere."""

    def __init__(self, siblings: Collection[str]) -> None:
        self._siblings = siblings
        self._here: dict[str, str] = {}
        self._elsewhere: dict[str, str] = {}

    def learn(self, node: ast.stmt) -> None:
        """Take in one statement, where it is an import."""
        match node:
            case ast.Import():
                for alias in node.names:
                    name = alias.asname or alias.name.split(".")[0]
                    places = self._here if alias.name.split(".")[0] in self._siblings else self._elsewhere
                    places[name] = alias.name if alias.asname else name
            case ast.ImportFrom():
                places = self._here if self.holds(node) else self._elsewhere
                places |= {alias.asname or alias.name: alias.name for alias in node.names}

    def holds(self, node: ast.ImportFrom) -> bool:
        """Return whether a module of the submission is imported from."""
        return node.level > 0 or (node.module or "").split(".")[0] in self._siblings

    def is_own(self, name: str, original: str) -> bool:
        """Return whether a local name stands for `original` of another file of the submission."""
        return self._here.get(name) == original

    def is_own_module(self, name: str) -> bool:
        """Return whether a local name stands for a module of the submission."""
        return name in self._siblings or self._here.get(name, "").rpartition(".")[2] in self._siblings

    def is_foreign(self, name: str) -> bool:
        """Return whether a local name was imported from elsewhere."""
        return name in self._elsewhere


def bindings(node: ast.stmt, known: Known) -> Iterator[Binding]:
    """Yield what one statement binds, not what stands inside its blocks."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield Binding(node.name)
        case ast.Import() | ast.ImportFrom():
            yield from _imports(node, known)
        case ast.Expr():
            yield from _changes(node.value)
        case ast.AugAssign(target=ast.Name(id=name)):
            yield Binding(name)
        case _:
            for target, value in _assignments(node):
                yield from _targets(target, value, known)


def _assignments(node: ast.stmt) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    match node:
        case ast.Assign():
            yield from ((target, node.value) for target in node.targets)
        case ast.AnnAssign(value=ast.expr()):
            yield node.target, node.value
        case ast.For() | ast.AsyncFor():
            yield node.target, None
        case ast.With() | ast.AsyncWith():
            yield from ((item.optional_vars, None) for item in node.items if item.optional_vars is not None)


def _changes(value: ast.expr) -> Iterator[Binding]:
    match value:
        case ast.NamedExpr(target=ast.Name(id=name)):
            yield Binding(name, value.value)
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)) if attr in CHANGES:
            yield Binding(name)


def _imports(node: ast.Import | ast.ImportFrom, known: Known) -> Iterator[Binding]:
    if isinstance(node, ast.Import):
        yield from (Binding(alias.asname, imported=alias.name) for alias in node.names if alias.asname)
        return
    home = known.holds(node)
    for alias in node.names:
        name = alias.asname or alias.name
        if not home:
            yield Binding(name, imported=f"{node.module}.{alias.name}")
        elif name != alias.name:
            yield Binding(name)  # another function of the submission under the asked-for name is an answer


def _targets(target: ast.expr, value: ast.expr | None, known: Known) -> Iterator[Binding]:
    pending: list[tuple[ast.expr, ast.expr | None]] = [(target, value)]
    while pending:
        part, given = pending.pop()
        match part:
            case ast.Name(id=name):
                yield from _pass_on(name, given, known)
            case ast.Subscript(value=ast.Name(id=name)):
                yield Binding(name)
            case ast.Attribute(value=ast.Name(id=name)):
                yield Binding(name, attribute=True)
            case ast.Starred():
                pending.append((part.value, None))
            case ast.Tuple() | ast.List():
                values: list[ast.expr | None] = [None] * len(part.elts)
                if isinstance(given, ast.Tuple | ast.List) and len(given.elts) == len(part.elts):
                    values = list(given.elts)
                pending += reversed(list(zip(part.elts, values, strict=True)))


def _pass_on(name: str, value: ast.expr | None, known: Known) -> Iterator[Binding]:
    """Yield what an assignment binds: nothing where the definition is elsewhere in the submission.

    `attention = third_key.attention`, `attention = package.third_key.attention`, `attention = attention`.
    """
    match value:
        case ast.Name(id=other) if other == name or known.is_own(other, name):
            return
        case ast.Attribute(attr=attribute) if attribute == name:
            path = _dotted(value)
            root = path.split(".")[0]
            if not known.is_own_module(root):
                yield Binding(name, value, imported=path if known.is_foreign(root) else "")
        case _:
            yield Binding(name, value)


def _dotted(value: ast.expr) -> str:
    parts: list[str] = []
    while isinstance(value, ast.Attribute):
        parts.append(value.attr)
        value = value.value
    parts.append(value.id if isinstance(value, ast.Name) else "?")
    return ".".join(reversed(parts))


def statements(body: list[ast.stmt], *, guard: bool) -> Iterator[ast.stmt]:
    """Yield the statements of a module that run in its own namespace, in order.

    With `guard`, what stands below ``if __name__ == "__main__":`` is left out.
    """
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


def all_statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield every statement, also those inside functions and classes; expressions are not walked through."""
    pending: list[ast.stmt] = list(reversed(tree.body))
    while pending:
        node = pending.pop()
        yield node
        for field in ("finalbody", "orelse", "body"):
            pending += reversed(getattr(node, field, ()))
        for inner in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            pending += reversed(inner.body)


def _is_main_guard(test: ast.expr) -> bool:
    match test:
        case ast.Compare(left=ast.Name(id="__name__"), ops=[ast.Eq()]):
            return True
        case ast.Compare(comparators=[ast.Name(id="__name__")], ops=[ast.Eq()]):
            return True
    return False


def imported_modules(tree: ast.Module) -> set[str]:
    """Return the last parts of the module names that a file imports anywhere."""
    found: set[str] = set()
    for node in all_statements(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name.rpartition(".")[2] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").rpartition(".")[2])
            found.update(alias.name for alias in node.names)
    return found - {""}
