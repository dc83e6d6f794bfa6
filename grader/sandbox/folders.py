"""Temporary folders of children: made, measured and removed without trust in their content.

Student code names the files. Paths are plain strings, since a name may hold newlines and bytes that are no text.
"""

import contextlib
import os
import stat
import tempfile
import threading
import time
from typing import NamedTuple

from grader.sandbox.limits import ASIDE, CLEANING, DEEP, LEAVING, MAX_EMPTY, MAX_ENTRIES

_EMPTIED = -1  # in place of a depth


def make() -> str:
    """Make an empty folder that only this user may enter; return its real path."""
    return os.path.realpath(tempfile.mkdtemp(prefix="grade-sandbox-"))


def canary(top: str) -> str:
    """Return the path of the file that a self-test makes beside a folder, and removes unless it is interrupted."""
    return f"{top}.canary"


def remove(top: str) -> None:
    """Remove a folder that `make` made, and what its self-test may have left beside it."""
    wipe(top)
    if os.path.isdir(_aside(top)):  # cleaning has ended before it was done
        wipe(_aside(top))
    with contextlib.suppress(OSError):
        _unlink(canary(top))


def _aside(top: str) -> str:
    """Return the folder into which deep folders are moved before they are emptied."""
    return top if top.endswith(".aside") else f"{top}.aside"


class Usage(NamedTuple):
    """What lies below a folder: the bytes that it occupies, and how many files and folders there are."""

    size: int
    entries: int


def abandon(top: str) -> None:
    """Remove a folder, aside if it takes longer than `ASIDE`.

    What is left when this process ends lies in the temporary folder.
    """
    thread = threading.Thread(target=remove, args=(top,), daemon=True, name="removing a folder")
    thread.start()
    thread.join(ASIDE)  # nearly all folders are empty, and a process that ends at once must leave none behind


def measure(top: str) -> Usage:
    """Return what lies below `top`; stop counting where there are more than `MAX_ENTRIES`.

    An empty file counts, too: it takes an inode, of which a disk has a limited number.
    """
    total, seen, pending = 0, 0, [top]
    while pending and seen <= MAX_ENTRIES:
        try:
            with os.scandir(pending.pop()) as entries:
                for entry in entries:
                    seen += 1
                    if seen > MAX_ENTRIES:
                        break
                    status = entry.stat(follow_symlinks=False)
                    total += max(getattr(status, "st_blocks", 0) * 512, 512)
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
        except OSError:
            continue
    return Usage(total, seen)


def wipe(top: str, seconds: float = LEAVING) -> None:
    """Remove a folder and all that is in it, as far as that can be done in so many seconds.

    No link is followed, not even one that took the place of `top` itself. To look first and to act then is safe here
    because the processes that could change something in between have ended.
    """
    _take_apart(top, seconds)
    with contextlib.suppress(OSError):
        os.rmdir(top)


def clear(top: str) -> bool:
    """Remove all that is in a folder, and keep the folder; return whether it is there, empty and as good as new.

    The next submission waits for it, so it takes `CLEANING` seconds at the most.
    """
    _take_apart(top, CLEANING)
    with contextlib.suppress(OSError):
        status = os.lstat(top)
        as_new = stat.S_ISDIR(status.st_mode) and status.st_size <= MAX_EMPTY
        return as_new and not os.listdir(top)
    return False


def _take_apart(top: str, seconds: float) -> None:
    """Remove all that is in a folder; give up after so many seconds.

    Nothing recurses (in Python 3.11 `shutil.rmtree` dies on a thousand nested folders) and no path grows: what lies
    deeper than `DEEP` is moved into a folder next to `top`. Empty folders are removed where they are: moving 20,000 of
    them took 52 s on a busy disk.
    """
    until = time.monotonic() + seconds
    pending, aside = [(top, 0)], _aside(top)
    while pending and time.monotonic() < until:
        folder, depth = pending.pop()
        if depth < 0:  # it was emptied, as far as that can be done
            with contextlib.suppress(OSError):
                os.rmdir(folder)
            continue
        if folder != top:
            pending.append((folder, _EMPTIED))
        with contextlib.suppress(OSError):
            for entry in _entries(folder):
                if not entry.is_dir(follow_symlinks=False):
                    _unlink(entry.path)
                elif not _remove_empty(entry.path):
                    place = entry.path
                    if depth == DEEP:
                        place = f"{aside}/{os.urandom(8).hex()}"
                        os.makedirs(aside, mode=0o700, exist_ok=True)
                        os.chmod(entry.path, 0o700)  # where it is closed, it cannot be moved
                        os.rename(entry.path, place)
                    pending.append((place, (depth + 1) % (DEEP + 1)))
    if not pending and aside != top:
        _remove_empty(aside)


def _remove_empty(folder: str) -> bool:
    try:
        os.rmdir(folder)
    except OSError:
        return False
    return True


def _entries(folder: str) -> list[os.DirEntry[str]]:
    """Return the entries of a folder, opening it for its owner first; remove a link in its place."""
    if _is_link(folder):
        _unlink(folder)
        return []
    os.chmod(folder, 0o700)
    with os.scandir(folder) as entries:
        return list(entries)


def _is_link(path: str) -> bool:
    return stat.S_ISLNK(os.lstat(path).st_mode)


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except PermissionError:  # on Windows a read-only file cannot be removed
        # Where the system can, the link itself is changed and not the file that it leads to.
        os.chmod(path, 0o600, follow_symlinks=os.chmod not in os.supports_follow_symlinks)
        os.unlink(path)
