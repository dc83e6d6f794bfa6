"""The paths that a child may read. The grader, its key and the course are never among them.

Landlock only allows: what lies below an allowed folder cannot be taken back. So a folder that holds something hidden is
never granted itself; the entries beside the hidden one are.
"""

import os
import sys
from collections.abc import Iterable

SITES = ("site-packages", "dist-packages")
# However this package was installed: as a folder, as metadata that names the checkout, as a finder that leads there.
_OURS = ("grader", "attention_grader", "attention-grader", "__editable__", "_editable")
_PATH_FILES = (".pth", ".egg-link")
_SYSTEM = ("/usr/lib", "/lib", "/lib64", "/usr/lib64", "/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo")
_FONTS = ("/usr/share/fonts", "/etc/fonts")
_DEVICES = ("/dev/urandom", "/dev/zero")


def _is(path: str, names: tuple[str, ...]) -> bool:
    return os.path.basename(path).startswith(names)


def _entries(folder: str) -> list[str]:
    try:
        return [f"{folder}/{name}" for name in os.listdir(folder)]
    except OSError:
        return []


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _around(path: str, hidden: Iterable[str]) -> list[str]:
    """Return `path`, or, where something below it is hidden, the paths below it that lead to nothing hidden."""
    inside = [place for place in hidden if _within(place, path)]
    if path in inside:
        return []
    if not inside:
        return [path]
    return [found for entry in _entries(path) for found in _around(entry, inside)]


def readable(hidden: Iterable[str]) -> list[str]:
    """Return the paths that a child may read: the standard library, installed libraries one by one, shared libraries.

    Parameters
    ----------
    hidden : iterable of str
        Real paths of the grader's package and of the course.
    """
    real = [os.path.realpath(path) for path in sys.path]
    sites = {path for path in real if os.path.basename(path) in SITES}
    # A base interpreter's own site folder lies inside its standard library, and may hold another grader.
    inner = {f"{path}/{name}" for path in real for name in SITES if os.path.isdir(f"{path}/{name}")}
    system = {folder for folder in _entries("/usr/lib/python3") if os.path.basename(folder) in SITES}
    ours = {entry for site in sites | inner | system for entry in _entries(site) if _is(entry, _OURS)}
    closed = {*hidden, *ours}
    wanted = [
        *(path for path in real if path not in sites),
        *(entry for site in sites for entry in _entries(site) if not entry.endswith(_PATH_FILES)),
        *(os.path.realpath(path) for path in (*_SYSTEM, *_FONTS, *_DEVICES, sys.executable)),
    ]
    granted = [found for path in wanted for found in _around(path, closed)]
    return list(dict.fromkeys(path for path in granted if not any(_within(path, place) for place in ours)))
