"""The ledger of a batch folder: one report for each student, under a name made from all that decides its content.

`reports/<slug>--<stamp>.json` is the truth of a batch; everything else in the folder is derived from it or for people.
No lock is needed: a report is written aside and moved into place, and two runs with the same stamp write the same.
"""

import contextlib
import hashlib
import json
import os
import platform
import re
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from grader import __version__
from grader.batch.collect import HandIn
from grader.errors import GraderError, UsageError
from grader.files import replace_file
from grader.report import SCHEMA_VERSION, Report, load_report
from grader.settings import Settings
from grader.submissions import SubmittedFile

STAMP_LENGTH = 16  # hexadecimal digits in a name: 64 bits, so that no two stamps of a class meet by chance
OLD = 600.0  # seconds after which a temporary file is nobody's: writing one takes milliseconds
OTHERS = 0o077  # the bits of a mode that are not the owner's
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


class Ledger:
    """The reports of one batch folder, and the files for students beside them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._listed: dict[str, list[str]] = {}  # slug -> report files when last looked

    @property
    def reports(self) -> Path:
        """Return the folder of the graded reports."""
        return self.folder / "reports"

    @property
    def faults(self) -> Path:
        """Return the folder of reports on faults of the grader, made when needed; none of them counts as a result."""
        return self.folder / "faults"

    @property
    def students(self) -> Path:
        """Return the folder of the files that students may see."""
        return self.folder / "students"

    def open(self) -> None:
        """Make the folders, remove the leftovers of a killed run, and list the reports.

        Raise `UsageError` where the folder cannot be written to.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            _make_private(self.reports)
            if self.faults.exists():
                _make_private(self.faults)
            self.students.mkdir(exist_ok=True)
            for folder in (self.folder, self.reports, self.faults, self.students):
                _remove_leftovers(folder)
                if folder.exists():
                    # A folder that cannot be written to is refused now, not after an hour of grading.
                    tempfile.TemporaryFile(dir=folder).close()
            self.refresh()
        except OSError as error:
            reason = error.strerror or type(error).__name__
            message = f"{self.folder} cannot be written to: {reason}. Choose another folder with --out DIR."
            raise UsageError(message) from error

    def list_exposed(self) -> list[Path]:
        """Return the folders that tell the seed and that other users can enter all the same."""
        folders = [folder for folder in (self.reports, self.faults) if folder.exists()]
        return [folder for folder in folders if os.name == "posix" and folder.stat().st_mode & OTHERS]

    def refresh(self) -> None:
        """List the reports anew: another run may have replaced some."""
        self._listed.clear()
        for path in sorted(self.reports.glob("*--*.json")):
            if not path.name.startswith("."):
                self._listed.setdefault(path.name.partition("--")[0], []).append(path.name)

    def find(self, student: str, stamp: str) -> Report | None:
        """Return the report with this stamp. A torn file, or one that is not a result, counts as absent."""
        return self._load(_name(make_slug(student), stamp), student)

    def find_any(self, student: str) -> Report | None:
        """Return the student's newest report, from whatever files and settings."""
        found = [self._load(name, student) for name in self._listed.get(make_slug(student), ())]
        reports = [report for report in found if report is not None]
        return max(reports, key=lambda report: report.created_at, default=None)

    def find_fault(self, student: str) -> Report | None:
        """Return the report on a fault of the grader, if it failed on this student's work last time."""
        with contextlib.suppress(UsageError):
            return load_report(self.faults / f"{make_slug(student)}.json")
        return None

    def store(self, student: str, stamp: str, content: bytes) -> None:
        """Put a report in place, then remove the one before. Raise `GraderError` where it cannot be written."""
        slug = make_slug(student)
        name = _name(slug, stamp)
        put(self.reports / name, content)
        for old in os.listdir(self.reports):  # noqa: PTH208 (looked at anew: another run may work in this folder, too)
            if old.startswith(f"{slug}--") and old != name:
                (self.reports / old).unlink(missing_ok=True)
        (self.faults / f"{slug}.json").unlink(missing_ok=True)

    def store_fault(self, student: str, content: bytes) -> None:
        """Keep the report on a fault of the grader. An earlier result stays as it is."""
        try:
            _make_private(self.faults)
        except OSError as error:
            raise GraderError(_tell(self.faults, error)) from error
        put(self.faults / f"{make_slug(student)}.json", content)

    def store_shown(self, student: str, json: str, text: str) -> None:
        """Write the student's files. They go before the report: where that is in place, they are, too."""
        slug = make_slug(student)
        put(self.students / f"{slug}.json", json.encode())
        put(self.students / f"{slug}.txt", text.encode())

    def is_shown(self, student: str) -> bool:
        """Return whether the files that the student may see are there."""
        slug = make_slug(student)
        return all((self.students / f"{slug}.{form}").exists() for form in ("json", "txt"))

    def count_strangers(self, students: Iterable[str]) -> int:
        """Return how many students have a report here and no work in the tree."""
        return len(set(self._listed) - {make_slug(student) for student in students})

    def _load(self, name: str, student: str) -> Report | None:
        try:
            report = load_report(self.reports / name)
        except UsageError:
            return None
        right = report.status == "graded" and report.score is not None and report.submission.student == student
        return report if right else None


def _name(slug: str, stamp: str) -> str:
    return f"{slug}--{stamp[:STAMP_LENGTH]}.json"


def put(path: Path, content: bytes) -> None:
    """Replace a file of the batch in one step. Raise `GraderError` naming the folder and what to do."""
    try:
        replace_file(path, content)
    except OSError as error:
        raise GraderError(_tell(path, error)) from error


def _tell(path: Path, error: OSError) -> str:
    return (
        f"{path} could not be written: {error.strerror or error}. Reports made so far are kept, no gradebook was "
        "written; make room or choose another folder with --out DIR, then run the same command again."
    )


def _make_private(folder: Path) -> None:
    """Make a folder for the instructor alone, or close one that is open: its files tell the hidden inputs."""
    folder.mkdir(mode=0o700, exist_ok=True)
    # In a colleague's folder, or on a disk without modes, this fails; then `list_exposed` tells it.
    with contextlib.suppress(PermissionError):
        if folder.stat().st_mode & OTHERS:
            folder.chmod(0o700)


def _remove_leftovers(folder: Path) -> None:
    before = time.time() - OLD
    for path in folder.glob(".*.tmp"):
        with contextlib.suppress(OSError):
            if path.stat().st_mtime < before:
                path.unlink()
