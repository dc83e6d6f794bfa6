"""Room on the disk that is held for the gradebook while a batch is graded: a disk that is full by then has it still."""

import contextlib
import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

_A_ROW = 1024  # bytes of a row with many flags, and of a file or two that were skipped
_LEAST = 64 << 10


@contextlib.contextmanager
def reserve_room(folder: Path, rows: int) -> Iterator[tuple[Path, ...]]:
    """Hold room for so many rows; yield the files that hold it, which are removed when the gradebook is written.

    They are two, as the files that are written then: a disk may have room left, and no file to put into it. Where the
    disk has no room, or cannot give room away beforehand, the batch goes on without. What a killed run leaves is
    removed with its other temporary files.
    """
    places: list[Path] = []
    with contextlib.suppress(OSError):
        for size in (_LEAST + _A_ROW * rows, 1):
            handle, name = tempfile.mkstemp(prefix=".reserve-", suffix=".tmp", dir=folder)
            places.append(Path(name))
            with os.fdopen(handle, "wb"):
                if hasattr(os, "posix_fallocate"):
                    os.posix_fallocate(handle, 0, size)
    try:
        yield tuple(places)
    finally:
        release(places)


def release(places: Iterable[Path]) -> None:
    """Give the room back; a second time does nothing."""
    for place in places:
        with contextlib.suppress(OSError):
            place.unlink(missing_ok=True)
