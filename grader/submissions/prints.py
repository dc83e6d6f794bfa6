"""The print of an answer: what is left of its source where comments, docstrings, layout and annotations do not count.

Equal prints mean the same code, with the same names in it. Renamed variables make another print: two people who write
down one formula choose the same operations, and far more seldom the same names for all that is in between.
"""

import ast
import hashlib

from grader.submissions.forms import FunctionNode, dump, normal_form
from grader.submissions.records import Print
from grader.submissions.sites import Site, Standing


def take_print(site: Site) -> Print | None:
    """Return the print of a definition; None where nobody wrote it: a stub, an import."""
    if site.standing is not Standing.WRITTEN:
        return None
    form = _write_down(site)
    digest = hashlib.sha256(form.encode("utf-8", "surrogatepass")).hexdigest()
    return Print(site.name, digest[:32], _measure(site.value, form))


def _write_down(site: Site) -> str:
    node = site.node
    if not isinstance(node, FunctionNode):
        return normal_form(site.value or node)
    arguments = node.args
    names = [one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    defaults = [dump(value) for value in (*arguments.defaults, *arguments.kw_defaults) if value is not None]
    return "\n".join([*names, *defaults, *map(dump, node.decorator_list), normal_form(node)])


def _measure(value: ast.expr | None, form: str) -> int:
    match value:
        case ast.Constant(value=str() as text):
            return len(text.split())  # of a written answer each word is a choice
    return form.count("(")  # each node is written down with one bracket
