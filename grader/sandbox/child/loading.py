"""Runs a program's files and cells, in order, and finds what they define.

The program arrives as text, and nothing is read from a disk. Each file becomes a module that `import` finds last, so
that a student's `numpy.py` never stands in for NumPy. A cell that fails is told, and the others run.
"""

import __future__

import ast
import builtins
import contextlib
import inspect
import os
import sys
from collections.abc import Callable, Iterable
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder
from types import CodeType, FunctionType, ModuleType
from typing import Any

from .absent import AbsentFinder, Stage
from .addresses import ROOT, Addresses
from .faults import Sources, describe, is_memory
from .jupyter import QuietShell, first_of_a_notebook

_ANNOTATIONS = __future__.annotations.compiler_flag  # the one future feature that is not there yet
MAX_ABSENT = 12  # modules of one file that are not installed; a script is begun anew for each


@cache
def first_names() -> frozenset[str]:
    """Return the first parts of all importable names, so that not each folder is asked for each name.

    Called first before the process is confined, because afterwards the folders of libraries cannot be listed.
    """
    names: set[str] = set()
    for path in sys.path:
        # A folder that is not there or cannot be listed is none to the import system either.
        with contextlib.suppress(OSError):
            names.update(entry.partition(".")[0] for entry in os.listdir(path))
    return frozenset(names)


def _importable(name: str) -> bool:
    """Return whether a name is in the standard library or installed, apart from any submission."""
    if name in sys.builtin_module_names or name in sys.stdlib_module_names:
        return True
    if name.rpartition(".")[2] not in first_names():
        return False
    try:
        return PathFinder.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


class Loader:
    """All modules of one program, each run once.

    Parameters
    ----------
    program : dict
        The fields of a `Program`, as plain data.
    skip : set of int
        Numbers of cells that hung or crashed before and are left out this time.
    tell : callable
        Receives each event: a cell begins, failed, ends.
    """

    def __init__(self, program: dict[str, Any], skip: set[int], tell: Callable[[dict[str, Any]], None]) -> None:
        self.program, self.skip, self.tell = program, skip, tell
        self.units = {unit["module"]: unit for unit in program["units"]}
        self.addresses = Addresses(program["units"])
        self.modules: dict[str, ModuleType] = {}
        self.lost: set[str] = set()
        self.futures: dict[str, int] = {}  # flags of `from __future__ import ...`
        self.notes: list[str] = []
        self.sources = Sources()
        self.stage = Stage()
        self.absent = AbsentFinder(self.stage, tuple(program["absent"]))
        sys.meta_path += [self, self.absent]

    def run_all(self) -> None:
        """Run the files that the program names, then rebind untouched stubs to the definitions that count.

        A student who wrote `attention` in one file may have left its stub in another one, which calls it.
        """
        for name in self.program["run"]:
            self.run(name)
        for name, stub in self.program["stubs"]:
            home = self.program["homes"].get(stub)
            if home != name and home in self.modules and home not in self.lost and name in self.modules:
                right = vars(self.modules[home])
                if stub in right:
                    vars(self.modules[name])[stub] = right[stub]
        self.stage.loading = False

    def run(self, name: str) -> ModuleType:
        """Run one file, unless it was begun before; return its module."""
        if name in self.modules:
            return self.modules[name]
        unit = self.units[name]
        module = self.modules[name] = ModuleType(name)
        if name not in sys.modules and not _importable(name):  # a student's `random.py` must not hide the real one
            sys.modules[name] = module
        loading, self.stage.loading = self.stage.loading, True
        self._begin(unit, module)
        for cell in unit["cells"]:
            place = cell["place"]
            if place in self.skip:
                self.lost |= set() if unit["notebook"] else {name}
                continue
            self.tell({"begins": place})
            ran = self._run_cell(unit, cell, module)
            self.tell({"ends": place})
            if not ran and not unit["notebook"]:
                self._stand_in(name, module)
        if name in self.lost:
            self.absent.siblings |= {n for n, home in self.addresses.names.items() if home == name}
        self.stage.loading = loading
        return module

    def _stand_in(self, name: str, module: ModuleType) -> None:
        """Let others import from a script that ended early: the names that it had defined, else placeholders."""
        self.absent.siblings.add(name)
        vars(module)["__getattr__"] = self.absent.module(name).__getattr__

    def _begin(self, unit: dict[str, Any], module: ModuleType) -> None:
        """Empty the namespace of a file."""
        space = vars(module)
        space.clear()
        space |= {"__name__": unit["module"], "__file__": unit["file"], "__doc__": None, "__builtins__": __builtins__}
        space["__package__"] = self.addresses.start_of(unit)
        if unit["package"]:
            start = self.addresses.start_of(unit)
            space |= {"__path__": [], "__spec__": ModuleSpec(start, self, is_package=True)}  # type: ignore[arg-type]
        if len(self.units) > 1:
            space["__builtins__"] = vars(builtins) | {"__import__": self._make_import(unit)}
        if unit["notebook"]:
            space |= first_of_a_notebook()
        elif any("get_ipython" in cell["text"] for cell in unit["cells"]):
            space["get_ipython"] = QuietShell  # a notebook that was exported as a script

    def _make_import(self, unit: dict[str, Any]) -> Callable[..., Any]:
        """Return what `import` does in one file: it looks in the file's own folder before it looks elsewhere.

        What is installed goes first all the same: a `numpy.py` beside the answer never stands in for NumPy.
        """
        usual = builtins.__import__
        start = {"__package__": self.addresses.start_of(unit), "__name__": f"{self.addresses.start_of(unit)}._"}

        def import_(name: str, space: Any = None, local: Any = None, wanted: Any = (), level: int = 0) -> Any:
            beside = self.addresses.find_beside(unit, name) if level == 0 and type(name) is str else None
            if beside is None or _importable(name.partition(".")[0]):
                return usual(name, space, local, wanted, level)
            if "." in name or self.addresses.is_package(beside):
                return usual(name, dict(start), None, wanted, 1)
            return self._give(beside)  # without the package around it, which may import this very file

        return import_

    def _run_cell(self, unit: dict[str, Any], cell: dict[str, Any], module: ModuleType) -> bool:
        """Run a cell, and again after each library that turns out to be missing; return whether it ran to its end."""
        for attempt in range(MAX_ABSENT + 1):
            try:
                self._execute(unit, cell, vars(module))
            except BaseException as error:  # noqa: BLE001 (SystemExit and KeyboardInterrupt, too, end the cell only)
                missing = self._not_installed(error)
                if missing is not None and attempt < MAX_ABSENT:
                    self.absent.libraries.add(missing)
                    self.notes.append(f"{missing} is not installed here; what uses it was skipped")
                    if not unit["notebook"]:
                        self._begin(unit, module)
                    continue
                ended = "memory" if is_memory(error) else "raised"
                self.tell({"failed": cell["place"], "ended": ended, "error": describe(error, self.sources)})
                return False
            else:
                return True
        return False

    def _execute(self, unit: dict[str, Any], cell: dict[str, Any], space: dict[str, Any]) -> None:
        shown = self.sources.add(unit["file"], cell["number"], cell["text"])
        codes: Iterable[CodeType]
        try:
            codes = [self._compile(unit, cell["text"], shown)]
        except SyntaxError:
            if not unit["notebook"]:
                raise
            # Jupyter compiles statement by statement: a `return` costs what follows it, and `from __future__` may
            # stand anywhere.
            nodes = ast.parse(cell["text"], shown).body
            codes = (self._compile(unit, ast.Module([node], []), shown) for node in nodes)
        for code in codes:
            if code.co_flags & inspect.CO_COROUTINE:
                import asyncio

                asyncio.run(eval(code, space))  # noqa: S307 (student code is what this process is for)
            else:
                exec(code, space)  # noqa: S102 (the same)

    def _compile(self, unit: dict[str, Any], source: str | ast.Module, shown: str) -> CodeType:
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | self.futures.get(unit["module"], 0) if unit["notebook"] else 0
        code: CodeType = compile(source, shown, "exec", flags=flags, dont_inherit=True)
        self.futures[unit["module"]] = code.co_flags & _ANNOTATIONS  # holds for later cells, as in Jupyter
        return code

    def _not_installed(self, error: BaseException) -> str | None:
        """Return the top-level name of a library that this error misses, if a placeholder may stand for it."""
        # The exact type: an `AbsentError` is one of these as well, and for what it names there is a placeholder.
        if type(error) is not ModuleNotFoundError or type(error.name) is not str:
            return None
        top = error.name.partition(".")[0]
        here = {ROOT, *self.absent.siblings, *self.absent.libraries}
        known = top in here or self.addresses.find(top) or self.addresses.is_folder(top)
        return None if known or _importable(top) else top

    def find(self, name: str) -> tuple[str, Any]:
        """Return what an asked-for name stands for: ("found", value), ("lost", None) or ("missing", None)."""
        home = self.program["homes"].get(name)
        if home in self.lost:
            return "lost", None
        names = [module for module in (home, *self.program["run"]) if module in self.modules]
        spaces = [vars(self.modules[module]) for module in names if module not in self.lost]
        for space in spaces:
            if name in space:
                return "found", space[name]
        for getter in [space.get("__getattr__") for space in spaces]:
            if type(getter) is FunctionType:  # that of a file which ended early is none, and knows every name
                with contextlib.suppress(BaseException):
                    return "found", getter(name)
        return "missing", None

    # The methods of a finder and loader, which the import system calls.

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """Return a spec for a file of the program that was not lost, or for a folder that holds one."""
        home = self.addresses.find(name)
        if home in self.lost or (home is None and not self.addresses.is_folder(name) and not self._is_absent(name)):
            return None
        is_package = home is None or self.addresses.is_package(name)
        return ModuleSpec(name, self, is_package=is_package)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return a module after running it, unless it is being run; for a folder, an empty package."""
        return self._give(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: `create_module` has run the module."""

    def _give(self, name: str) -> ModuleType:
        home = self.addresses.find(name)
        if home is None:
            return self.absent.module(name.rpartition(".")[2]) if self._is_absent(name) else ModuleType(name)
        module = self.run(home)
        return self.absent.module(name) if home in self.lost else module

    def _is_absent(self, name: str) -> bool:
        """Return whether a relative import asks for an exercise that was not handed in."""
        return name.startswith(f"{ROOT}.") and name.rpartition(".")[2] in self.program["absent"]
