"""Which answer key: seed and digest, readable in a frozen key without NumPy and without its numbers."""

import json
import zipfile
from pathlib import Path
from typing import IO, NamedTuple

from grader.errors import CourseError

FORMAT = 4
MEMBER = "label.json"


class KeyLabel(NamedTuple):
    """What a report says of the key that judged the work."""

    seed: int
    digest: str


def write_label(archive: IO[bytes], label: KeyLabel) -> None:
    """Add the label to the archive of a frozen key. The same label gives the same bytes."""
    with zipfile.ZipFile(archive, "a") as opened:
        # A fixed date, as NumPy gives its members.
        entry = zipfile.ZipInfo(MEMBER)
        opened.writestr(entry, json.dumps({"format": FORMAT, **label._asdict()}))


def read_label(source: Path | IO[bytes]) -> KeyLabel:
    """Read the label of a frozen key. Raises `CourseError` where the file is missing, damaged or of another format."""
    try:
        with zipfile.ZipFile(source) as archive:
            found = json.loads(archive.read(MEMBER))
        written = found["format"]
        label = KeyLabel(int(found["seed"]), str(found["digest"]))
    except OSError as error:
        raise unreadable(source, error) from error
    except Exception as error:  # a damaged archive has no end of ways to fail
        raise damaged(error) from error
    if written != FORMAT:
        message = f"The answer key has format {written}, not {FORMAT}. Build it again with `grade key`."
        raise CourseError(message)
    return label


def unreadable(source: object, error: OSError) -> CourseError:
    """Return what is said of a key whose file cannot be read."""
    name = source.name if isinstance(source, Path) else "file"
    return CourseError(f"The answer key {name} cannot be read: {error.strerror}. Build it with `grade key`.")


def damaged(error: Exception) -> CourseError:
    """Return what is said of a key that cannot be read as one."""
    return CourseError(f"The answer key is damaged ({type(error).__name__}). Build it again with `grade key`.")
