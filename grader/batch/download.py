"""Open the download of a class: a folder as it is, an archive in a temporary folder that goes when the batch ends."""

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from grader.batch.scratch import open_scratch
from grader.errors import GraderError, UsageError
from grader.submissions.archives import unpack
from grader.submissions.labels import clean
from grader.submissions.reasons import is_code


@dataclass(frozen=True)
class OpenDownload:
    """A tree to grade. `refused` holds (name, reason) of what stayed packed, `notes` sentences for the instructor."""

    tree: Path
    refused: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()


@contextmanager
def open_download(path: Path) -> Iterator[OpenDownload]:
    """Open a folder or a zip file. Raise `UsageError` where it is neither, or cannot be unpacked."""
    if path.is_dir():
        yield OpenDownload(path)
        return
    if not zipfile.is_zipfile(path):
        kind = "an archive that is damaged" if path.suffix.lower() == ".zip" else "neither a folder nor a zip file"
        message = f"{path} is {kind}. Give the folder, or the .zip, that holds a folder or file for each student."
        raise UsageError(message)
    with open_scratch() as scratch:
        # Some layouts are known by the name of their folder, which an archive without one has itself.
        tree = Path(scratch) / (clean(path.stem).lstrip(".").replace("/", "_") or "download")
        tree.mkdir()
        unpacked = unpack(path, tree)
        try:
            yield OpenDownload(_leave_wrapper(tree), unpacked.refused, unpacked.notes)
        except GraderError as error:
            # The instructor gave an archive, and never sees the folder that is about to go.
            if str(tree) not in str(error):
                raise
            raise type(error)(str(error).replace(str(tree), str(path))) from error


def _leave_wrapper(tree: Path) -> Path:
    """Return the folder in which an archive holds everything, where that is no student's own."""
    inside = list(tree.iterdir())
    if len(inside) != 1 or not inside[0].is_dir():
        return tree
    below = list(inside[0].iterdir())
    folders = sum(one.is_dir() for one in below)
    code = any(is_code(one.name) for one in below if one.is_file())
    if inside[0].name.casefold() == tree.name.casefold() or (folders > 1 and not code):
        return inside[0]
    return tree
