"""The start of an interpreter for children: its command line, import path and environment.

All three are made from nothing, because student code could read whatever they inherited: a token in the environment,
the path of a course among the arguments.
"""

import importlib.util
import json
import os
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from grader.errors import SandboxError

BOOT = Path(__file__).with_name("child") / "boot.py"
_SITES = ("site-packages", "dist-packages")
# Each further thread of a library for matrix products reserves 43 MiB of address space, which would count against the
# memory limit: 3 GiB on a machine with 64 cores.
_ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
_NEEDED = ("SYSTEMROOT", "LD_LIBRARY_PATH")  # without these an interpreter or NumPy may not even start


def _site_folders() -> list[str]:
    """Return the folders of installed libraries.

    Path files and editable finders in them are not followed: they may lead to the grader.
    """
    spec = importlib.util.find_spec("numpy")
    if spec is None or spec.origin is None:
        message = "NumPy is not installed beside the grader; install it with: python -m pip install numpy"
        raise SandboxError(message)
    folders = [p for p in sys.path if Path(p).name in _SITES and Path(p).is_dir()]
    return list(dict.fromkeys([*folders, str(Path(spec.origin).parent.parent)]))


def hidden() -> list[str]:
    """Return what no child may read although it may lie among libraries: this package, and the checkout around it."""
    package = Path(__file__).resolve().parent.parent
    return [str(package), str(package.parent)]


@cache
def shown_paths() -> dict[str, str]:
    """Return the names that stand for folders of libraries in messages, by the folder's path, longest path first."""
    packages = dict.fromkeys(_site_folders(), "site-packages")
    prefixes = dict.fromkeys((sys.prefix, sys.base_prefix), "python")
    ours = {str(Path(__file__).resolve().parent): "sandbox"}
    return dict(sorted((packages | prefixes | ours).items(), key=lambda item: -len(item[0])))


def command(role: str, settings: Mapping[str, Any]) -> list[str]:
    """Return the command line of a process in the given role, which is the name of a module of `child`."""
    # Isolated as with `-I`, but for variables of the environment, which is made here: the hash seed is one of them.
    whole = {"role": role, "site": _site_folders(), "parent": os.getpid()} | dict(settings)
    return [sys.executable, "-S", "-s", "-P", str(BOOT), json.dumps(whole)]


def environment(folder: str) -> dict[str, str]:
    """Return the environment of a child that lives in `folder`."""
    return {
        **{name: os.environ[name] for name in _NEEDED if name in os.environ},
        **dict.fromkeys(_ONE_THREAD, "1"),
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "PYTHONUTF8": "1",
        "PYTHONHASHSEED": "0",  # sets of strings come in the same order in each run
        "HOME": folder,
        "TMPDIR": folder,
        "TEMP": folder,
        "TMP": folder,
        "MPLBACKEND": "Agg",  # a plot opens no window
        "MPLCONFIGDIR": folder,
        "MALLOC_ARENA_MAX": "1",  # else each thread reserves 64 MiB of address space: 7 threads in 512 MiB, now 62
    }
