"""Names of files and modules: what a renamed file was called once, and what a module may be called."""

import keyword
import re
import sys
from pathlib import PurePosixPath

# What browsers, file managers and learning platforms append: "third_key (1)", "third_key-1", "third_key - Copy".
APPENDED = re.compile(r"(?:[ _-]*\(\d+\)|[ _-]+copy|[ _-]+\d+)+$")
ENDING = re.compile(r"\.(?:py|ipynb)(?:\.(?:txt|json))?(?: \[\d+\])?$", re.IGNORECASE)
# A fixed list, because what is installed differs between machines and a grade must not.
LIBRARIES = frozenset({"IPython", "google", "jax", "matplotlib", "numpy", "pandas", "scipy", "seaborn", "sklearn"})
LIBRARIES |= {"sympy", "tensorflow", "torch"}


def file_stem(name: str) -> str:
    """Return a file's name without folders and endings: "third_key (1)" for "work/third_key (1).py"."""
    return ENDING.sub("", PurePosixPath(name).name)


def looks_like(stem: str, wanted: str) -> bool:
    """Return whether a renamed file was once called `wanted`: "doe_1_2_third_key-1", "Third Key (1)"."""
    plain = re.sub(r"[ -]+", "_", APPENDED.sub("", stem.casefold()))
    wanted = wanted.casefold()
    return plain == wanted or plain.endswith(f"_{wanted}")


def is_library(module: str) -> bool:
    """Return whether this is a module of the standard library, or of a package that work of this kind imports."""
    return module in sys.stdlib_module_names or module in LIBRARIES


def dotted_path(name: str) -> str:
    """Return the dotted name of a script in a folder, or nothing where a part is no identifier."""
    parts = [*PurePosixPath(name).parts[:-1], file_stem(name)]
    if parts[-1] == "__init__" and len(parts) > 1:
        parts.pop()
    return ".".join(parts) if all(map(_is_name, parts)) else ""


def possible_modules(name: str) -> tuple[str, ...]:
    """Return module names for a file, the best one first: the stem, else the dotted path. May be empty."""
    stem = file_stem(name)
    wanted = (dotted_path(name),) if stem == "__init__" else (stem, dotted_path(name))
    return tuple(one for one in wanted if one and not is_library(one) and all(map(_is_name, one.split("."))))


def free_module(name: str, taken: set[str]) -> str:
    """Return a module name that nobody else has, made from the file's name."""
    for candidate in possible_modules(name):
        if candidate not in taken:
            return candidate
    stem = re.sub(r"\W", "_", file_stem(name))
    stem = stem if stem.isidentifier() else f"_{stem}"
    number = 1
    while (candidate := f"{stem}_{number}") in taken or is_library(candidate):
        number += 1
    return candidate


def _is_name(part: str) -> bool:
    return part.isidentifier() and not keyword.iskeyword(part)
