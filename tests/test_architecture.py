"""The arrows between rooms, read from the imports: every one, also those inside functions."""

import ast
import graphlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from checkout import SDIST, top_level

ROOT = Path(__file__).resolve().parents[1]
GRADER = ROOT / "grader"
TOP = {"assignments", "solutions", "grader", "tests", "pyproject.toml", "README.md"}
ORDER = ("submissions", "sandbox", "judging", "grading", "batch")
# The sandbox's vocabulary is plain data that every room speaks; the smooth functions are named in it.
SHARED = {"grader.calls", "grader.sandbox.shared.smooth"}


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in sorted(GRADER.rglob("*.py"))}


def imports_of(module: str, *, only_on_import: bool = False) -> Iterator[str]:
    """Yield the modules that `module` imports, ours as far as the file that is meant."""
    path = MODULES[module]
    tree = ast.parse(path.read_text(encoding="utf-8"))
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in tree.body if only_on_import else ast.walk(tree):
        match node:
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case ast.ImportFrom():
                base = node.module or ""
                if node.level:
                    above = package.split(".")[: len(package.split(".")) - node.level + 1]
                    base = ".".join([*above, *([node.module] if node.module else [])])
                for alias in node.names:
                    whole = f"{base}.{alias.name}"
                    yield whole if whole in MODULES else base


def room_of(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def ours(module: str) -> set[str]:
    return {name for name in imports_of(module) if name.split(".")[0] == "grader"}


def in_room(*rooms: str) -> list[str]:
    return [module for module in MODULES if room_of(module) in rooms]


def test_the_walk_sees_imports_inside_functions_and_relative_ones():
    assert "grader.report" in ours("grader.cli.schema")
    assert "grader.sandbox.shared.wire" in ours("grader.sandbox.child.worker")


@pytest.mark.parametrize("module", in_room(*ORDER))
def test_arrows_between_rooms_point_one_way(module):
    later = ORDER[ORDER.index(room_of(module)) + 1 :]
    assert {name for name in ours(module) - SHARED if room_of(name) in later} == set()


@pytest.mark.parametrize("module", in_room("judging"))
def test_judging_starts_no_process_and_reads_no_files(module):
    assert {name for name in ours(module) - SHARED if room_of(name) in ("sandbox", "cli", "course")} == set()
    assert not {name.split(".")[0] for name in imports_of(module)} & {"subprocess", "socket", "pathlib", "os", "io"}


@pytest.mark.parametrize("module", in_room("feedback", "export"))
def test_what_renders_a_report_sees_nothing_but_the_report(module):
    own = room_of(module)
    assert {name for name in ours(module) if room_of(name) not in (own, "report", "errors")} == set()


@pytest.mark.parametrize("module", in_room("exercises"))
def test_exercises_know_the_vocabulary_and_nothing_else(module):
    assert {name for name in ours(module) - SHARED if room_of(name) not in ("exercises", "")} == set()


def test_what_a_child_loads_imports_nothing_of_the_grader_but_its_own_room():
    reached, open_ends = set(), {"grader.sandbox.child.boot", "grader.sandbox.child.worker"}
    while open_ends:
        module = open_ends.pop()
        reached.add(module)
        text = MODULES[module].read_text(encoding="utf-8")
        assert "grader" not in {name.split(".")[0] for node in ast.walk(ast.parse(text)) for name in absolute(node)}
        open_ends |= ours(module) & set(MODULES) - reached - {"grader.sandbox"}
    assert "grader.sandbox.shared.wire" in reached
    assert {room_of(module) for module in reached} == {"sandbox"}


def absolute(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []


@pytest.mark.parametrize("module", MODULES)
def test_nothing_in_the_grader_imports_a_solution_or_a_student_file(module):
    stems = {path.stem for folder in ("solutions", "assignments") for path in (ROOT / folder).glob("*.py")}
    assert not {name.split(".")[0] for name in imports_of(module)} & {"solutions", "assignments", "tests", *stems}


def test_only_the_entry_point_imports_the_command_line():
    users = {module for module in MODULES if any(room_of(name) == "cli" for name in ours(module))}
    assert users - set(in_room("cli")) == {"grader.__main__"}


def test_no_two_modules_need_each_other_to_be_imported():
    graph = {module: set(imports_of(module, only_on_import=True)) & set(MODULES) - {module} for module in MODULES}
    graphlib.TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("module", MODULES)
def test_no_module_is_longer_than_a_reader_likes(module):
    assert len(MODULES[module].read_text(encoding="utf-8").splitlines()) <= 300


@pytest.mark.parametrize("module", MODULES)
def test_no_function_is_longer_than_a_screen(module):
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    long = [
        f"{node.name}: {node.end_lineno - node.lineno + 1}"
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno - node.lineno >= 60
    ]
    assert long == []


def test_the_top_level_holds_the_agreed_entries_and_no_others():
    assert {name for name in top_level() if not name.startswith(".")} == TOP
    assert {name for name in SDIST if not name.startswith(".")} == TOP
    assert all((ROOT / name).exists() for name in TOP)


def test_no_name_of_this_kind_of_module_says_nothing():
    vague = {"util", "utils", "helper", "helpers", "manager", "handler", "common", "misc", "data", "info"}
    assert not {part for module in MODULES for part in module.split(".")} & vague
