"""Temporary folders of children: made, measured and removed without trust in their content.

Student code names the files. Paths are plain strings, since a name may hold newlines and bytes that are no text.
"""

import contextlib
import os
import stat
import tempfile

from grader.sandbox.limits import MAX_EMPTY, MAX_ENTRIES


def make() -> str:
    """Make an empty folder that only this user may enter; return its real path."""
    return os.path.realpath(tempfile.mkdtemp(prefix="grade-sandbox-"))


def canary(top: str) -> str:
    """Return the path of the file that a self-test makes beside a folder, and removes unless it is interrupted."""
    return f"{top}.canary"


def remove(top: str) -> None:
    """Remove a folder that `make` made, and what its self-test may have left beside it."""
    wipe(top)
    with contextlib.suppress(OSError):
        _unlink(canary(top))


def size(top: str) -> int:
    """Return how many bytes the files below `top` occupy; stop counting where there are very many.

    An empty file counts, too: it takes an inode, of which a disk has a limited number.
    """
    total, seen, pending = 0, 0, [top]
    while pending and seen < MAX_ENTRIES:
        try:
            with os.scandir(pending.pop()) as entries:
                for entry in entries:
                    seen += 1
                    status = entry.stat(follow_symlinks=False)
                    total += max(getattr(status, "st_blocks", 0) * 512, 512)
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
        except OSError:
            continue
    return total


def wipe(top: str) -> None:
    """Remove a folder and everything in it, except what cannot be removed.

    No link is followed, not even one that took the place of `top` itself. To look first and to act then is safe here
    because the processes that could change something in between have ended.
    """
    _take_apart(top)
    with contextlib.suppress(OSError):
        os.rmdir(top)


def clear(top: str) -> bool:
    """Remove everything in a folder and keep the folder; return whether it is there, empty and as good as new."""
    _take_apart(top)
    with contextlib.suppress(OSError):
        status = os.lstat(top)
        as_new = stat.S_ISDIR(status.st_mode) and status.st_size <= MAX_EMPTY
        return as_new and not os.listdir(top)
    return False


def _take_apart(top: str) -> None:
    """Remove everything in a folder.

    Nothing recurses and no path grows: sub-folders are moved next to `top` before they are emptied. In Python 3.11
    `shutil.rmtree` ends in a RecursionError on 3,000 nested folders, which student code makes in a second.
    """
    moved, pending = 0, [top]
    while pending:
        folder = pending.pop()
        with contextlib.suppress(OSError):
            for entry in _entries(folder):
                if not entry.is_dir(follow_symlinks=False):
                    _unlink(entry.path)
                    continue
                moved += 1
                aside = f"{top}.{moved}"
                os.chmod(entry.path, 0o700)  # a folder that its owner closed cannot be moved
                os.rename(entry.path, aside)
                pending.append(aside)
            if folder != top:
                os.rmdir(folder)


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
