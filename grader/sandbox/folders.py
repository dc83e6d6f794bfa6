"""Temporary folders of children: made, measured and removed without trusting what was put into them."""

import contextlib
import os
import tempfile
from pathlib import Path

MAX_ENTRIES = 20_000


def make() -> str:
    """Make an empty folder that only this user may enter; return its real path."""
    return os.path.realpath(tempfile.mkdtemp(prefix="grade-sandbox-"))


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

    Nothing recurses and no path grows: sub-folders are moved up next to `top` before they are emptied. (In Python
    3.11 `shutil.rmtree` dies on a thousand nested folders.) What cannot be removed is left.
    """
    moved, pending = 0, [top]
    while pending:
        folder = pending.pop()
        try:
            Path(folder).chmod(0o700)
            with os.scandir(folder) as scanned:
                entries = list(scanned)
            for entry in entries:
                if not entry.is_dir(follow_symlinks=False):
                    _unlink(entry.path)
                    continue
                moved += 1
                aside = f"{top}.{moved}"
                os.rename(entry.path, aside)  # noqa: PTH104 - names may hold newlines and odd bytes
                pending.append(aside)
            os.rmdir(folder)  # noqa: PTH106
        except OSError:
            continue


def clear(top: str) -> None:
    """Remove all that is in a folder, and keep the folder."""
    with contextlib.suppress(OSError):
        Path(top).chmod(0o700)
        with os.scandir(top) as scanned:
            entries = list(scanned)
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                wipe(entry.path)
            else:
                _unlink(entry.path)


def _unlink(path: str) -> None:
    try:
        os.unlink(path)  # noqa: PTH108
    except PermissionError:  # Windows: a read-only file
        os.chmod(path, 0o600, follow_symlinks=os.chmod not in os.supports_follow_symlinks)  # noqa: PTH101
        os.unlink(path)  # noqa: PTH108
