"""Temporary folders of children: made, measured and removed without trusting what was put into them."""

import contextlib
import os
import stat
import tempfile

from grader.sandbox.limits import MAX_EMPTY, MAX_ENTRIES


def make() -> str:
    """Make an empty folder that only this user may enter; return its real path."""
    return os.path.realpath(tempfile.mkdtemp(prefix="grade-sandbox-"))


def canary(top: str) -> str:
    """Return the path of the file beside a folder that its self-test makes, and removes unless it is interrupted."""
    return f"{top}.canary"


def remove(top: str) -> None:
    """Remove what `make` made and what its self-test may have left."""
    wipe(top)
    with contextlib.suppress(OSError):
        _unlink(canary(top))


def size(top: str) -> int:
    """Bytes that the files below `top` occupy. Stops counting where there are very many."""
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
    """Remove a folder and all that is in it.

    No link is followed, not even one that took the place of `top`. What cannot be removed is left. The processes that
    could change it meanwhile have ended.
    """
    _take_apart(top)
    with contextlib.suppress(OSError):
        os.rmdir(top)


def clear(top: str) -> bool:
    """Remove all that is in a folder, and keep the folder; return whether it is there, empty and as good as new."""
    _take_apart(top)
    with contextlib.suppress(OSError):
        status = os.lstat(top)
        as_new = stat.S_ISDIR(status.st_mode) and status.st_size <= MAX_EMPTY
        return as_new and not os.listdir(top)
    return False


def _take_apart(top: str) -> None:
    """Remove all that is in a folder.

    Nothing recurses and no path grows: sub-folders are moved up next to `top` before they are emptied. (In Python
    3.11 `shutil.rmtree` dies on a thousand nested folders.)
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
                os.chmod(entry.path, 0o700)
                os.rename(entry.path, aside)
                pending.append(aside)
            if folder != top:
                os.rmdir(folder)


def _entries(folder: str) -> list[os.DirEntry[str]]:
    """Return what a folder holds, opening it first; a link in its place is removed."""
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
    except PermissionError:  # Windows: a read-only file
        os.chmod(path, 0o600, follow_symlinks=os.chmod not in os.supports_follow_symlinks)
        os.unlink(path)
