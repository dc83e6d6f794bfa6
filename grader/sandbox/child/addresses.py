"""Which file of a program an `import` means: absolute, relative, from its own folder, from a package.

Every file has an address, the dotted path of its folders and its stem ("src.attention.softmax"), and may have further
names, by which it is found although it was renamed or lies elsewhere ("third_key"). Relative imports start from the
address; their modules are called `_handed_in.` and the address, so that none of them stands in a library's way.
"""

from collections.abc import Iterable
from typing import Any

ROOT = "_handed_in"


class Addresses:
    """All names under which the files of one program can be imported.

    Parameters
    ----------
    units : iterable of dict
        The fields of each `Unit`, as plain data.
    """

    def __init__(self, units: Iterable[dict[str, Any]]) -> None:
        scripts_first = sorted(units, key=lambda unit: unit["notebook"])
        self.names: dict[str, str] = {
            name: unit["module"] for unit in scripts_first for name in (unit["module"], *unit["aliases"])
        }
        self._packages = {unit["module"] for unit in scripts_first if unit["package"]}
        self._exact: dict[str, str] = {}
        for unit in scripts_first:
            self._exact.setdefault(f"{ROOT}.{unit['address'] or unit['module']}", unit["module"])
        every = [name.split(".")[:-1] for name in (*self.names, *self._exact)]
        self._folders = {".".join(parts[: k + 1]) for parts in every for k in range(len(parts))}

    def find(self, name: str) -> str | None:
        """Return the module that a full name means, or None."""
        if name in self._exact or name in self._folders:
            return self._exact.get(name) or self.names.get(name)
        if not name.startswith(f"{ROOT}."):
            return self.names.get(name)
        # What a relative import misses may have been renamed, or lie in another folder than it did at home.
        rest = name
        while "." in rest:
            rest = rest.partition(".")[2]
            if rest in self.names:
                return self.names[rest]
        return None

    def is_folder(self, name: str) -> bool:
        """Return whether there is nothing of that name but a folder."""
        return name in self._folders and self.find(name) is None

    def is_package(self, name: str) -> bool:
        """Return whether modules may be imported from `name`."""
        return name in self._folders or self.find(name) in self._packages

    def start_of(self, unit: dict[str, Any]) -> str:
        """Return the package that relative imports of a file start from."""
        address = f"{ROOT}.{unit['address'] or unit['module']}"
        return address if unit["package"] else address.rpartition(".")[0]

    def find_beside(self, unit: dict[str, Any], name: str) -> str | None:
        """Return the full name of what an absolute import means in the file's own folder, or None.

        Two folders may each have a `helper.py`.
        """
        first = f"{self.start_of(unit)}.{name.partition('.')[0]}"
        if first in self._exact or first in self._folders:
            return f"{self.start_of(unit)}.{name}"
        return None
