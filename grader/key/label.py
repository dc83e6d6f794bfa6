"""Which answer key a file holds: its seed and its digest, without NumPy and without reading the key's numbers.

Work in which nothing is started is graded with the label alone, which takes 0.1 ms and no import of NumPy (100 ms).
"""

import json
import zipfile
from pathlib import Path
from typing import IO, NamedTuple

from grader.course import key_command
from grader.errors import CourseError

FORMAT = 4  # one more whenever the layout of the archive changes: an older file is refused by its number
MEMBER = "label.json"


class KeyLabel(NamedTuple):
    """The seed and the digest of a key, as a report states them."""

    seed: int
    digest: str


def write_label(archive: IO[bytes], label: KeyLabel) -> None:
    """Add the label to the archive of a frozen key. The same label gives the same bytes."""
    with zipfile.ZipFile(archive, "a") as opened:
        # The date of a ZipInfo is fixed, as NumPy fixes it for its members: two runs give the same bytes.
        entry = zipfile.ZipInfo(MEMBER)
        opened.writestr(entry, json.dumps({"format": FORMAT, **label._asdict()}))


def read_label(source: Path | IO[bytes], path: Path | None = None) -> KeyLabel:
    """Return the label of a frozen key. Raise `CourseError` where the file is missing, damaged or of another format.

    `path` tells where the bytes of an open `source` came from, so that the error can say how to write that file.
    """
    path = source if isinstance(source, Path) else path
    try:
        with zipfile.ZipFile(source) as archive:
            found = json.loads(archive.read(MEMBER))
        written = found["format"]
        label = KeyLabel(int(found["seed"]), str(found["digest"]))
    except OSError as error:
        raise unreadable(path, error) from error
    except Exception as error:  # zipfile and json raise a dozen types on damaged bytes
        raise damaged(path, error) from error
    if written != FORMAT:
        message = f"The answer key has format {written}, not {FORMAT}. {_advise(path)}"
        raise CourseError(message)
    return label


def unreadable(path: Path | None, error: OSError) -> CourseError:
    """Return the error for a key whose file cannot be read."""
    return CourseError(f"The answer key {path or 'file'} cannot be read: {error.strerror}. {_advise(path)}")


def damaged(path: Path | None, error: Exception) -> CourseError:
    """Return the error for bytes that are no answer key."""
    return CourseError(f"The answer key is damaged ({type(error).__name__}). {_advise(path)}")


def _advise(path: Path | None) -> str:
    command = "grade key" if path is None else key_command(path)
    return f"Write it with `{command}`."
