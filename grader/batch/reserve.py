"""Room on the disk that is held for the gradebook while a batch is graded: a disk that is full by then has it still."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

_A_ROW = 1024  # bytes of a row with many flags, and of a file or two that were skipped
_LEAST = 64 << 10


@contextlib.contextmanager
def reserve_room(folder: Path, rows: int) -> Iterator[Path | None]:
    """Hold room for so many rows; yield the file that holds it, which is removed when the gradebook is written.

    Where the disk has no room for it, or cannot give room away beforehand, the batch goes on without. What a killed
    run leaves is removed with its other temporary files.
    """
    place = None
    with contextlib.suppress(OSError):
        handle, name = tempfile.mkstemp(prefix=".reserve-", suffix=".tmp", dir=folder)
        place = Path(name)
        with os.fdopen(handle, "wb"):
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(handle, 0, _LEAST + _A_ROW * rows)
    try:
        yield place
    finally:
        release(place)


def release(place: Path | None) -> None:
    """Give the room back; a second time does nothing."""
    if place is not None:
        with contextlib.suppress(OSError):
            place.unlink(missing_ok=True)
