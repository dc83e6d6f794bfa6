"""Where a file defines the names that are asked for.

Every step here is linear in the size of the file: one statement may have 30,000 targets or import 8,000 aliases, and
names may be nested as deep as the parser allows.
"""

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import IntEnum
from typing import NamedTuple

from grader.submissions.bindings import Binding, Known, bindings, statements
from grader.submissions.forms import FunctionNode, dump, is_stub_body, is_stub_value, normal_form


class Standing(IntEnum):
    """How much a definition says for itself; in another file one that says more wins."""

    STUB = 0  # nothing but what was shipped
    HOLLOW = 1  # a body that does nothing, below a decorator or a base class that may put something in its place
    IMPORTED = 2  # taken from a module that was not handed in
    WRITTEN = 3


class Site(NamedTuple):
    """One place that defines a name. `value` is set for an assignment: the expression, where it can be told."""

    name: str
    node: ast.stmt
    cell: int | None
    value: ast.expr | None = None
    standing: Standing = Standing.WRITTEN
    origin: str = ""  # "scipy.special.softmax" for what is imported

    @property
    def line(self) -> int:
        """The line, from 1, in the script or cell."""
        return self.node.lineno

    @property
    def stub(self) -> bool:
        """Whether this is no answer at all."""
        return self.standing is Standing.STUB


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
        One for each statement and name, also inside `if`, `try`, `with`, `for`, `while` and `match`.
    """
    known = Known(siblings)
    for node in statements(tree.body, guard=cell is None):
        known.learn(node)
        # `CHAIN = CHAIN = ...` a thousand times is one definition: the last target counts, as it does when it runs.
        found = {bound.name: bound for bound in bindings(node, known) if bound.name in names}
        for name, bound in found.items():
            yield _make_site(name, node, cell, bound)


def _make_site(name: str, node: ast.stmt, cell: int | None, bound: Binding) -> Site:
    standing = Standing.IMPORTED if bound.imported else Standing.HOLLOW if bound.attribute else Standing.WRITTEN
    return Site(name, node, cell, bound.value, standing, bound.imported)


def effective(sites: Iterable[Site], stubs: Mapping[str, str]) -> list[Site]:
    """Say what each site is worth, and drop those that only wrap what was defined before.

    `attention = timed(attention)` leaves the definition where it was written; around a stub it may be what makes it
    work (`softmax.__code__ = other.__code__`), so that the stub counts as hollow.
    """
    kept: list[Site] = []
    functions: dict[str, int] = {}  # name -> place of its last definition in `kept`
    mentioned: dict[int, set[str]] = {}
    for site in sites:
        node = site.node
        if isinstance(node, FunctionNode | ast.ClassDef):
            functions[site.name] = len(kept)
        elif site.name in functions and _mentions(node, site.name, mentioned):
            place = functions[site.name]
            if kept[place].stub:
                kept[place] = kept[place]._replace(standing=Standing.HOLLOW)
            continue
        elif site.standing is Standing.HOLLOW:
            continue  # an attribute of something that no function is
        kept.append(site._replace(standing=_weigh(site, stubs)))
    return kept


def _weigh(site: Site, stubs: Mapping[str, str]) -> Standing:
    node = site.node
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            if not is_stub_body(node, stubs.get(site.name)):
                return Standing.WRITTEN
            parents = [*node.bases, *node.keywords] if isinstance(node, ast.ClassDef) else []
            return Standing.HOLLOW if node.decorator_list or parents else Standing.STUB
    if site.value is not None and is_stub_value(site.value, stubs.get(site.name)):
        return Standing.STUB
    return site.standing


def _mentions(node: ast.stmt, name: str, known: dict[int, set[str]]) -> bool:
    if id(node) not in known:  # one statement may stand for many of the names
        known[id(node)] = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    return name in known[id(node)]


def identity(site: Site) -> str:
    """Return what two definitions have in common if and only if they do the same: parameters, decorators and body."""
    if site.origin:
        return f"from {site.origin}"
    if isinstance(site.node, FunctionNode):
        head = [dump(site.node.args, site.node), *(dump(decorator) for decorator in site.node.decorator_list)]
        return "\n".join([type(site.node).__name__, *head, normal_form(site.node)])
    return normal_form(site.value or site.node)


def normal_forms(text: str, names: Collection[str]) -> dict[str, str]:
    """Return the normal forms of the asked-for names that a shipped stub defines; the last one of a name."""
    return {site.name: normal_form(site.value or site.node) for site in find_sites(ast.parse(text), names)}
