"""The arrows between rooms, read from the imports: every one, also those inside functions."""

import ast
import graphlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from checkout import SDIST, top_level
from grader.exercises import EXERCISES, asked_names

ROOT = Path(__file__).resolve().parents[1]
GRADER = ROOT / "grader"
TOP = {"assignments", "solutions", "grader", "tests", "pyproject.toml", "README.md"}
ORDER = ("submissions", "sandbox", "judging", "reporting", "grading", "batch")
# What both halves of the sandbox share is pure, and the smooth functions in it are asked about and shown.
SHARED = {"grader.sandbox.shared.smooth"}
CHILD, BOTH = "grader.sandbox.child", "grader.sandbox.shared"
# Looked up by name in whatever file a registry's row names.
LOOKED_UP = {"EXERCISE", "JUDGING", "LADDER", "MISTAKES", "REGIONS", "command", "main", "spoil", "start"}


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef
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
def test_rendering_and_export_see_nothing_but_the_report_and_makes_it_inert(module):
    own = room_of(module)
    assert {name for name in ours(module) if room_of(name) not in (own, "report", "errors", "inert")} == set()


def judges(module: str) -> bool:
    """Whether a module of an exercise's folder is its own judging, which stands on the common one."""
    return ".judging" in module


@pytest.mark.parametrize("module", in_room("exercises"))
def test_exercises_know_the_vocabulary_and_their_own_judging_the_common_one(module):
    allowed = {"exercises", "calls", ""} | ({"judging", "key", "report"} if judges(module) else set())
    annotated = {"grader.judging.dossier"} if module == "grader.exercises.parts" else set()
    assert {name for name in ours(module) - SHARED - annotated if room_of(name) not in allowed} == set()


@pytest.mark.parametrize("module", [module for module in in_room("exercises") if not judges(module)])
def test_the_questions_of_an_exercise_import_no_judging_of_any(module):
    assert {name for name in imports_of(module, only_on_import=True) if judges(name)} == set()


@pytest.mark.parametrize("module", [*in_room("judging"), *in_room("key")])
def test_judging_and_the_key_name_no_exercise(module):
    asked = {name for slug, names in asked_names().items() for name in (slug, *names)}
    words = set(words_outside_docstrings(ast.parse(MODULES[module].read_text(encoding="utf-8"))))
    assert words & asked == set()
    assert {word for word in words if re.fullmatch(r"(E\d[A-Z]?|FD)-\d+", word)} == set()


def words_outside_docstrings(tree: ast.Module) -> Iterator[str]:
    prose = {
        id(node.body[0].value) for node in ast.walk(tree) if isinstance(node, DOCUMENTED) and ast.get_docstring(node)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if id(node) not in prose:
                yield from re.findall(r"[\w-]+|\w+", text)
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.ImportFrom(module=str(name)):
                yield from name.split(".")


@pytest.mark.parametrize("module", in_room("exercises"))
def test_an_exercise_looks_into_no_other_one_s_folder(module):
    folder = module.split(".")[2] if module.count(".") > 1 else ""
    if folder in EXERCISES:
        others = set(EXERCISES) - {folder}
        assert {name for name in ours(module) if others & set(name.split(".")[2:3])} == set()


@pytest.mark.parametrize("module", [module for module in MODULES if not module.startswith(CHILD)])
def test_no_other_room_imports_the_child(module):
    assert not {name for name in ours(module) if name.startswith(f"{CHILD}.")}


@pytest.mark.parametrize("module", [module for module in MODULES if module.startswith(BOTH)])
def test_the_shared_part_imports_nothing_of_either_half(module):
    assert {name for name in ours(module) if not name.startswith(BOTH)} == set()


def test_a_child_loads_nothing_of_the_grader_but_its_room_and_the_shared_part():
    reached, open_ends = set(), {f"{CHILD}.boot", f"{CHILD}.worker", f"{CHILD}.forkserver"}
    while open_ends:
        module = open_ends.pop()
        reached.add(module)
        text = MODULES[module].read_text(encoding="utf-8")
        assert "grader" not in {name.split(".")[0] for node in ast.walk(ast.parse(text)) for name in absolute(node)}
        open_ends |= ours(module) & set(MODULES) - reached
    assert f"{BOTH}.wire" in reached
    assert {name for name in reached if not name.startswith((CHILD, BOTH))} == set()
    assert reached >= {name for name in MODULES if name.startswith(f"{CHILD}.")}


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


def public_functions(tree: ast.Module) -> Iterator[str]:
    yield from (node.name for node in tree.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"))


def names_taken_from_others(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom():
                yield from (alias.name for alias in node.names)
            case ast.Attribute(attr=name):
                yield name
            case ast.Constant(value=str(text)) if "." in text:  # a name to patch, or to look up
                yield text.rpartition(".")[2]


def test_each_public_function_is_used_by_another_module_or_a_test():
    places = {*MODULES.values(), *(ROOT / "tests").glob("*.py"), *(ROOT / "tests").glob("*/*.py")}
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in places if path.parent.name != "wild"}
    users: dict[str, set[Path]] = {}
    for path, tree in trees.items():
        for name in names_taken_from_others(tree):
            users.setdefault(name, set()).add(path)
    idle = [
        f"{module}.{name}"
        for module, path in MODULES.items()
        for name in public_functions(trees[path])
        if name not in LOOKED_UP and not users.get(name, set()) - {path}
    ]
    assert idle == []


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
