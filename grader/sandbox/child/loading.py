"""In the child: runs a program's files and cells, in order, and finds what they define.

The program arrives as text; nothing is read from a disk. Each unit becomes a module that `import` finds last of all,
so that a student's `numpy.py` never stands in for NumPy. Whatever goes wrong in one cell is told and the rest runs.
"""

import __future__

import ast
import contextlib
import inspect
import os
import sys
from collections.abc import Callable
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

from .absent import AbsentFinder, Stage
from .faults import Sources, describe, is_memory

_ANNOTATIONS = __future__.annotations.compiler_flag  # the one future that is not there yet
MAX_ABSENT = 12  # modules that are not installed, in one file
PACKAGE = "_handed_in"  # what relative imports (`from .third_key import attention`) are relative to


class QuietShell:
    """Stands for IPython's shell: whatever is asked of it does nothing."""

    def __getattr__(self, name: str) -> Callable[..., None]:
        """Give a function that does nothing."""
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *_args, **_named: None


def _display(*_args: object, **_named: object) -> None:
    """Show nothing: there is no front end."""


@cache
def first_names() -> frozenset[str]:
    """Return what any importable name begins with, so that not each folder is asked for each name.

    To be called first before the process is confined: then its folders cannot be listed any more.
    """
    names: set[str] = set()
    for path in sys.path:
        with contextlib.suppress(
            OSError
        ):  # it is not there, or cannot be listed, which the import system needs as well
            names.update(entry.partition(".")[0] for entry in os.listdir(path))
    return frozenset(names)


def _importable(name: str) -> bool:
    """Whether `name` is in the library or installed, apart from any submission."""
    if name in sys.builtin_module_names or name in sys.stdlib_module_names:
        return True
    if name.rpartition(".")[2] not in first_names():
        return False
    try:
        return PathFinder.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


class Shelf:
    """All modules of one program, run once each.

    Parameters
    ----------
    program : dict
        The fields of a `Program`, as plain data.
    skip : set of int
        Places of cells that hung or crashed before and are left out this time.
    tell : callable
        Receives each event: a cell begins, failed, ends.
    """

    def __init__(self, program: dict[str, Any], skip: set[int], tell: Callable[[dict[str, Any]], None]) -> None:
        self.program, self.skip, self.tell = program, skip, tell
        self.units = {unit["module"]: unit for unit in program["units"]}
        self.names = {alias: unit["module"] for unit in program["units"] for alias in unit["aliases"]}
        self.names |= {module: module for module in self.units}
        self.names |= {f"{PACKAGE}.{name}": home for name, home in self.names.items()}
        dotted = [name.split(".")[:-1] for name in self.names]
        self.packages = {".".join(parts[: k + 1]) for parts in dotted for k in range(len(parts))} - set(self.names)
        self.modules: dict[str, ModuleType] = {}
        self.lost: set[str] = set()
        self.futures: dict[str, int] = {}  # flags of `from __future__ import ...`
        self.notes: list[str] = []
        self.sources = Sources()
        self.stage = Stage()
        self.absent = AbsentFinder(self.stage, tuple(program["absent"]))
        sys.meta_path += [self, self.absent]

    def run_all(self) -> None:
        """Run the modules that are asked for, then rebind stubs that were imported from elsewhere."""
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
        """Run one unit, unless it has been begun before; return its module."""
        if name in self.modules:
            return self.modules[name]
        unit = self.units[name]
        module = self.modules[name] = ModuleType(name)
        if name not in sys.modules and not _importable(name):
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
            self.absent.siblings |= {n for n, home in self.names.items() if home == name}
        self.stage.loading = loading
        return module

    def _stand_in(self, name: str, module: ModuleType) -> None:
        """Let a script that ended early be imported from: what it had defined is there, the rest are placeholders."""
        self.absent.siblings.add(name)
        vars(module)["__getattr__"] = self.absent.module(name).__getattr__

    def _begin(self, unit: dict[str, Any], module: ModuleType) -> None:
        space = vars(module)
        space.clear()
        space |= {"__name__": unit["module"], "__file__": unit["file"], "__doc__": None, "__builtins__": __builtins__}
        space["__package__"] = PACKAGE
        if unit["notebook"]:
            shell = QuietShell()
            space |= {"get_ipython": lambda: shell, "display": _display}

    def _run_cell(self, unit: dict[str, Any], cell: dict[str, Any], module: ModuleType) -> bool:
        for attempt in range(MAX_ABSENT + 1):
            try:
                self._execute(unit, cell, vars(module))
            except BaseException as error:  # noqa: BLE001 - SystemExit and KeyboardInterrupt, too, end the cell only
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
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | self.futures.get(unit["module"], 0) if unit["notebook"] else 0
        code = compile(cell["text"], shown, "exec", flags=flags, dont_inherit=True)
        self.futures[unit["module"]] = code.co_flags & _ANNOTATIONS  # holds for later cells, as in Jupyter
        if code.co_flags & inspect.CO_COROUTINE:
            import asyncio

            asyncio.run(eval(code, space))  # noqa: S307
        else:
            exec(code, space)  # noqa: S102

    def _not_installed(self, error: BaseException) -> str | None:
        """Top-level name of a library that this error misses, if a placeholder may stand for it."""
        if type(error) is not ModuleNotFoundError or type(error.name) is not str:
            return None
        top = error.name.partition(".")[0]
        here = {*self.names, *self.packages, *self.absent.siblings, *self.absent.libraries}
        return None if top in here or _importable(top) else top

    def find(self, name: str) -> tuple[str, Any]:
        """Look an asked-for name up: `("found", value)`, or `"lost"` or `"missing"`."""
        home = self.program["homes"].get(name)
        if home in self.lost:
            return "lost", None
        for module in [home, *self.program["run"]]:
            space = vars(self.modules[module]) if module in self.modules and module not in self.lost else {}
            if name in space:
                return "found", space[name]
        return "missing", None

    # what the import system asks for

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """Answer the import system."""
        if name in self.packages:
            return ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]
        if self.names.get(name) is None or self.names[name] in self.lost:
            return None
        return ModuleSpec(name, self)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Answer the import system with a module that is run, or being run; a folder is an empty package."""
        if spec.name in self.packages:
            return ModuleType(spec.name)
        home = self.names[spec.name]
        module = self.run(home)
        return self.absent.module(spec.name) if home in self.lost else module

    def exec_module(self, module: ModuleType) -> None:
        """Answer the import system: `create_module` has run it."""
