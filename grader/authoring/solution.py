"""Read a solution file and take out what students are to find themselves.

What a stub keeps and what it loses follows from where a thing stands in the solution:

- The module docstring, public constants, public functions that nobody asks for, and comments at module level are
  given: they are kept as they are. Names with a leading underscore and `__all__` are the solution's own.
- An asked-for function keeps its signature and docstring, an asked-for constant its name and the comment above it.
- In docstrings, the numpydoc sections `Notes` and `References` belong to the solution: they (or the body) hold
  formulas and sources, and the other sections say what is wanted.
- Names imported from another exercise's solution stay imports; asked-for names imported from any other solution
  file become stubs, copied from there; everything else from such a file is the solution's own.
- The block under `if __name__ == "__main__":` holds checks that students run without the grader.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.errors import CourseError

SOLUTION_ONLY = frozenset({"Notes", "References"})


@dataclass(frozen=True)
class Statement:
    """One statement at module level: its node, the name it defines or "", its lines, the comment lines above it."""

    node: ast.stmt
    name: str
    comment: str
    text: str


@dataclass(frozen=True)
class StudentFile:
    """The pieces of one student file, each as source text without surrounding blank lines."""

    stem: str
    task: str
    imports: tuple[str, ...]
    sibling_imports: tuple[str, ...]
    given: tuple[str, ...]
    answers: Mapping[str, str]
    checks: str


def read_student_file(stem: str, solutions: Path, asked: Mapping[str, Sequence[str]]) -> StudentFile:
    """Return the pieces of the stub that a solution file gives.

    Parameters
    ----------
    stem : str
        File name without `.py`; a key of `asked`.
    solutions : Path
        Folder of the solution files.
    asked : mapping of str to sequence of str
        For each exercise's stem the names that it asks for, in the order in which they stand in the stub.

    Raises
    ------
    CourseError
        Where a solution is missing or cannot be read, or something asked for is not in it.
    """
    names = frozenset(asked[stem])
    imports, sibling_imports, given, checks = [], [], [], ""
    found: dict[str, str] = {}
    task, statements = _read_statements(solutions / f"{stem}.py")
    for statement in statements:
        match statement.node:
            case ast.ImportFrom(module=str(module)) if module in asked:
                sibling_imports.append(statement.text)
            case ast.ImportFrom(module=str(module)) if (solutions / f"{module}.py").is_file():
                _, lent = _read_statements(solutions / f"{module}.py")
                found |= {each.name: _blank(each) for each in lent if each.name in names}
            case ast.Import() | ast.ImportFrom():
                imports.append(statement.text)
            case ast.If():
                checks = statement.text
            case _ if statement.name in names:
                found[statement.name] = _blank(statement)
            case _ if statement.name and not statement.name.startswith("_"):
                given.append(statement.comment + statement.text)
    if missing := [name for name in asked[stem] if name not in found]:
        message = f"solutions/{stem}.py does not define {missing[0]}, which the exercise asks for; add it there."
        raise CourseError(message)
    answers = {name: found[name] for name in asked[stem]}
    _refuse_shadowing(stem, answers, frozenset(name for each in asked.values() for name in each))
    return StudentFile(stem, task, tuple(imports), tuple(sibling_imports), tuple(given), answers, checks)


def drop_sections(docstring: str) -> str:
    """Return a docstring without the numpydoc sections that belong to the solution.

    Parameters
    ----------
    docstring : str
        The string between the quotes, as it stands in the source.

    Returns
    -------
    str
        Without trailing white space.
    """
    lines = docstring.split("\n")
    kept, dropping = [], False
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if re.fullmatch(r"\s*-{3,}\s*", below) and line.strip():
            dropping = line.strip() in SOLUTION_ONLY
        if not dropping:
            kept.append(line)
    return "\n".join(kept).rstrip()


def read_solution(path: Path) -> tuple[str, ast.Module]:
    """Return a solution's source and its syntax tree. Raise `CourseError` where it is not Python or has no task."""
    try:
        source = path.read_text(encoding="utf-8")
        tree = ast.parse(source)
    except (OSError, SyntaxError, ValueError) as error:
        message = f"solutions/{path.name} cannot be read as Python: {error}."
        raise CourseError(message) from error
    if ast.get_docstring(tree) is None:
        message = f"solutions/{path.name} has no docstring. It is the task that students read; write it there."
        raise CourseError(message)
    return source, tree


def _read_statements(path: Path) -> tuple[str, list[Statement]]:
    """Return a solution's docstring, without the sections that belong to the solution, and the statements after it."""
    source, tree = read_solution(path)
    return drop_sections(ast.get_docstring(tree) or ""), list(_split(source.splitlines(), tree.body))


def _split(lines: Sequence[str], body: Sequence[ast.stmt]) -> Iterator[Statement]:
    end = body[0].end_lineno or 0
    for node in body[1:]:
        comment = [line for line in lines[end : node.lineno - 1] if line.startswith("#")]
        end = node.end_lineno or node.lineno
        text = "\n".join(lines[node.lineno - 1 : end])
        yield Statement(node, _defined(node), "".join(f"{line}\n" for line in comment), text)


def _defined(node: ast.stmt) -> str:
    match node:
        case ast.FunctionDef(name=name):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case _:
            return ""


def _blank(statement: Statement) -> str:
    """Return the stub of an asked-for function or constant: the statement without its answer."""
    match statement.node:
        case ast.FunctionDef() as node:
            return statement.comment + _blank_function(node, statement.text.split("\n"))
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.List()):
            return f"{statement.comment}{name} = []"
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str())):
            return f'{statement.comment}{name} = ""'
        case other:
            message = f"a stub can be made of a function, a list or a string, not of {ast.unparse(other)!r}."
            raise CourseError(message)


def _blank_function(node: ast.FunctionDef, lines: Sequence[str]) -> str:
    first = node.body[0]
    if ast.get_docstring(node) is None or node.decorator_list:
        message = f"{node.name} needs a docstring, which tells students what is wanted, and no decorator."
        raise CourseError(message)
    start, end = first.lineno - node.lineno, (first.end_lineno or first.lineno) - node.lineno + 1
    quoted = "\n".join(lines[start:end]).strip()
    kept = drop_sections(quoted.removeprefix('"""').removesuffix('"""'))
    closing = '\n    """' if "\n" in kept else '"""'
    return "\n".join([*lines[:start], f'    """{kept}{closing}', "    raise NotImplementedError"])


def _refuse_shadowing(stem: str, answers: Mapping[str, str], asked: frozenset[str]) -> None:
    """Raise `CourseError` where a parameter is named like an asked-for function, which its body could not call then."""
    for node in ast.walk(ast.parse("\n".join(answers.values()))):
        if isinstance(node, ast.arg) and node.arg in asked:
            message = f"solutions/{stem}.py has a parameter named {node.arg}, like an asked-for function; rename it."
            raise CourseError(message)
