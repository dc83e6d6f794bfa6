"""Placeholders for modules that are not installed, and for exercise files that were not handed in.

A notebook that draws a plot, or mounts a drive, still holds right answers; an import that fails would cost them all. So
while files and cells are run, a placeholder of a library takes anything: `plt.show()`, `drive.mount("/content")`,
`fig, ax = plt.subplots()`, `class Net(nn.Module)`. While the asked functions are called, using it is an error that
names the module. A sibling file that was not handed in can be imported and passed around; calling a name of it is an
error at any time.
"""

import dis
import sys
from collections.abc import Callable, Iterator
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

UNPACK = dis.opmap["UNPACK_SEQUENCE"]


class Stage:
    """Tells whether files are being run (placeholders give way) or asked functions are being called (they refuse)."""

    loading = True


class AbsentError(ModuleNotFoundError):
    """A placeholder was used."""

    def __init__(self, message: str, module: str, absent: str) -> None:
        super().__init__(message, name=module)
        self.absent = absent


class Placeholder:
    """Any attribute, item or result of a module that is not there."""

    def __init__(self, stage: Stage, path: str, *, sibling: bool) -> None:
        self.__dict__["_p"] = (stage, path, sibling)  # past `__setattr__`, which keeps nothing

    def _use(self, *_args: object, **_named: object) -> "Placeholder":
        stage, path, sibling = self.__dict__["_p"]
        if sibling or not stage.loading:
            raise _refusal(path, sibling=sibling)
        return self

    def __getattr__(self, name: str) -> "Placeholder":
        """Return a further placeholder; refuse special names, so that protocols see a plain object."""
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        stage, path, sibling = self.__dict__["_p"]
        if not sibling:
            self._use()
        return Placeholder(stage, f"{path}.{name}", sibling=sibling)

    def __setattr__(self, name: str, value: object) -> None:
        """Take anything."""
        self._use()

    def __iter__(self) -> Iterator[Any]:
        """Return as many placeholders as the caller unpacks, and none for a loop, which would otherwise never end."""
        self._use()
        caller = sys._getframe(1)  # noqa: SLF001 (the only way to know how many names are on the left)
        code, at = caller.f_code.co_code, caller.f_lasti
        return iter([self] * (code[at + 1] if code[at] == UNPACK else 0))

    def __mro_entries__(self, bases: tuple[object, ...]) -> tuple[type, ...]:
        """Return no base class: a class that is derived from a placeholder is derived from nothing."""
        return ()

    def __bool__(self) -> bool:
        """Return False, as for `if torch.cuda.is_available()`."""
        self._use()
        return False

    def __len__(self) -> int:
        """Return 0: a placeholder holds nothing."""
        self._use()
        return 0

    def __exit__(self, *_: object) -> None:
        """Let an exception pass that was raised in a `with` block."""

    def __repr__(self) -> str:
        """Name the thing that is not there."""
        return f"<{self.__dict__['_p'][1]}, not here>"

    __call__ = __getitem__ = __setitem__ = __delitem__ = __enter__ = _use
    __add__ = __sub__ = __mul__ = __matmul__ = __truediv__ = __floordiv__ = __mod__ = __pow__ = _use
    __radd__ = __rsub__ = __rmul__ = __rmatmul__ = __rtruediv__ = __rpow__ = __neg__ = __pos__ = __abs__ = _use
    __lt__ = __le__ = __gt__ = __ge__ = _use
    __array_ufunc__ = None  # `array * placeholder` asks the placeholder


def _refusal(path: str, *, sibling: bool) -> AbsentError:
    """Return the error that using a placeholder gives."""
    module, _, name = path.partition(".")
    if sibling:
        return AbsentError(f"{module} was not handed in or could not be run", module, path if name else module)
    return AbsentError(f"No module named '{module}'", module, module)


class AbsentModule(ModuleType):
    """A module that is not there. Unlike `Placeholder`, it may be imported at any time."""

    def __init__(self, name: str, make: Callable[[str], Placeholder]) -> None:
        super().__init__(name)
        self.__path__: list[str] = []
        self.__dict__["_make"] = make

    def __getattr__(self, name: str) -> Any:
        """Return a placeholder for any name but a special one."""
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return self.__dict__["_make"](name)


class AbsentFinder:
    """Makes a module for each name that was declared absent, and for its submodules; asked after all other finders."""

    def __init__(self, stage: Stage, siblings: tuple[str, ...]) -> None:
        self.stage = stage
        self.siblings = set(siblings)
        self.libraries: set[str] = set()

    def module(self, name: str) -> AbsentModule:
        """Return the module `name`, made of placeholders."""
        sibling = name.partition(".")[0] in self.siblings

        def make(attribute: str) -> Placeholder:
            if not sibling and not self.stage.loading:
                raise _refusal(name, sibling=False)
            return Placeholder(self.stage, f"{name}.{attribute}", sibling=sibling)

        return AbsentModule(name, make)

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """Return a spec to the import system for a name that is absent."""
        top = name.partition(".")[0]
        if top in self.siblings or (top in self.libraries and self.stage.loading):
            return ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]
        return None

    def create_module(self, spec: ModuleSpec) -> AbsentModule:
        """Return a module of placeholders to the import system."""
        return self.module(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: a module of placeholders has no code to run."""
