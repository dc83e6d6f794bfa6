"""Names in a batch folder: the slug, which is a student's alone, and the stamp, made from all that decides a report."""

import hashlib
import json
import platform
import re
from collections.abc import Iterable, Sequence

import numpy as np

from grader import __version__
from grader.batch.collect import HandIn
from grader.report import SCHEMA_VERSION
from grader.settings import Settings
from grader.submissions import SubmittedFile

STAMP_LENGTH = 16  # hexadecimal digits in a name: 64 bits, so that no two stamps of a class meet by chance
_PLAIN = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?")
_HASHED = re.compile(r".*-[0-9a-f]{12}")


def make_slug(student: str) -> str:
    """Return a file name for a student that is theirs alone, on systems that fold case and refuse `con`, too.

    A simple lower-case name stays as it is. Any other one keeps its readable characters and gets a hash.
    """
    plain = _PLAIN.fullmatch(student) and not (_RESERVED.fullmatch(student) or _HASHED.fullmatch(student))
    if plain and "--" not in student:
        return student
    readable = re.sub(r"[^a-z0-9]+", "-", student.casefold()).strip("-")[:28].rstrip("-")
    digest = hashlib.sha256(student.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{readable or 'student'}-{digest}"


def make_stamp(
    hand_in: HandIn, key_digest: str, settings: Settings, files: Sequence[SubmittedFile] | None = None
) -> str:
    """Return the stamp of a report: a hash over all that decides its content.

    `files` are those that were graded, where they are not the ones that were handed in at first.
    """
    # Seed and course decide a report by way of the key, whose digest is here; every other setting does so by itself.
    decisive = {name: value for name, value in settings.pack().items() if name not in ("seed", "course")}
    parts = [str(SCHEMA_VERSION), key_digest, __version__, platform.python_version(), np.__version__]
    parts += [json.dumps(decisive, sort_keys=True)]
    parts += [hand_in.entry.student, str(hand_in.entry.attempt), hand_in.entry.late]
    for file in sorted(hand_in.files if files is None else files, key=lambda file: file.name):
        parts += [file.name, file.sha256]
    return hash_parts(parts)


def hash_parts(parts: Iterable[str]) -> str:
    """Return the SHA-256 over the parts, each with its length in front: two lists never give the same bytes."""
    digest = hashlib.sha256()
    for part in parts:
        content = part.encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8, "big") + content)
    return digest.hexdigest()
