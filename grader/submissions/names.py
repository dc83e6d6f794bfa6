"""Names of files and modules: what a renamed file was called once, and what a module may be called."""

import keyword
import re
import sys
from collections import Counter

# What browsers, file managers and learning platforms append: "third_key (1)", "third_key-1", "third_key - Copy".
APPENDED = re.compile(r"(?:[ _-]*\(\d+\)|[ _-]+copy|[ _-]+\d+)+$")
ENDING = re.compile(r"\.(?:py|ipynb)(?:\.(?:txt|json))?(?: \[\d+\])?$", re.IGNORECASE)
# A fixed list, because what is installed differs between machines and a grade must not.
LIBRARIES = frozenset({"IPython", "google", "jax", "matplotlib", "numpy", "pandas", "scipy", "seaborn", "sklearn"})
LIBRARIES |= {"sympy", "tensorflow", "torch"}


def file_stem(name: str) -> str:
    """Return a file's name without folders and endings: "third_key (1)" for "work/third_key (1).py"."""
    return ENDING.sub("", name.rpartition("/")[2])


def looks_like(stem: str, wanted: str) -> bool:
    """Return whether a renamed file was once called `wanted`: "doe_1_2_third_key-1", "Third Key (1)"."""
    plain = _plain(stem)
    wanted = wanted.casefold()
    return plain == wanted or plain.endswith(f"_{wanted}")


def former_names(stem: str) -> list[str]:
    """Return everything that `looks_like` would say yes to, in small letters."""
    plain = _plain(stem)
    return [plain, *(plain[number + 1 :] for number, letter in enumerate(plain) if letter == "_")]


def _plain(stem: str) -> str:
    return re.sub(r"[ -]+", "_", APPENDED.sub("", stem.casefold()))


def is_library(module: str) -> bool:
    """Return whether this is a module of the standard library, or of a package that work of this kind imports."""
    return module in sys.stdlib_module_names or module in LIBRARIES


def _dotted_path(name: str) -> str:
    """Return the dotted name of a script in a folder, or nothing where a part is no identifier."""
    parts = [*name.split("/")[:-1], file_stem(name)]
    if parts[-1] == "__init__" and len(parts) > 1:
        parts.pop()
    return ".".join(parts) if all(map(_is_name, parts)) else ""


def address(name: str) -> str:
    """Return a script's place in the submission, dotted: "src.tools.plot" for "src/tools/plot.py"."""
    parts = [part.replace(".", "_") for part in name.split("/")[:-1]]
    stem = file_stem(name).replace(".", "_")
    return ".".join(parts if parts and is_package(name) else [*parts, stem])


def is_package(name: str) -> bool:
    """Return whether a file makes its folder a package."""
    return file_stem(name) == "__init__"


def import_paths(name: str) -> tuple[str, ...]:
    """Return the names by which a script may be imported: from the top of the work, and from each folder below.

    Only one of "src.tools.plot", "tools.plot" and "plot" works where the author runs the code; nobody says which.
    """
    parts = _dotted_path(name).split(".")
    stem = file_stem(name)
    paths = [".".join(parts[number:]) for number in range(len(parts))] if parts[0] else []
    return tuple(paths) if stem == "__init__" or not _is_name(stem) else tuple(dict.fromkeys([*paths, stem]))


def _possible_modules(name: str) -> tuple[str, ...]:
    """Return module names for a file, the best one first: the stem, else the dotted path. May be empty."""
    stem = file_stem(name)
    wanted = (_dotted_path(name),) if stem == "__init__" else (stem, _dotted_path(name))
    return tuple(one for one in wanted if one and not is_library(one) and all(map(_is_name, one.split("."))))


class Namer:
    """Gives module names, each to one file."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._numbers: Counter[str] = Counter()  # a thousand files of one name must not ask for each number anew

    def name_module(self, name: str) -> str:
        """Return a module name that no other file has, made from this file's name."""
        stem = re.sub(r"\W", "_", file_stem(name))
        stem = stem if stem.isidentifier() else f"_{stem}"
        chosen = next((one for one in _possible_modules(name) if one not in self._taken), "")
        while not chosen or chosen in self._taken or is_library(chosen):
            self._numbers[stem] += 1
            chosen = f"{stem}_{self._numbers[stem]}"
        self._taken.add(chosen)
        return chosen


def _is_name(part: str) -> bool:
    return part.isidentifier() and not keyword.iskeyword(part)
