"""The ledger of a batch folder: one report for each student, under a name made from all that decides its content.

`reports/<slug>--<stamp>.json` is the truth of a batch; everything else in the folder is derived from it or for people.
No lock is needed: a report is written aside and moved into place, and two runs with the same stamp write the same.
"""

import contextlib
import os
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from grader.batch.names import STAMP_LENGTH, make_slug
from grader.errors import GraderError, UsageError
from grader.exercises import EXERCISES
from grader.files import replace_file
from grader.report import ExerciseResult, Report, find_contradiction, load_report
from grader.shortage import is_about_a_place, tell_shortage

OLD = 600.0  # seconds after which a temporary file is nobody's: writing one takes milliseconds
OTHERS = 0o077  # the bits of a mode that are not the owner's


class UnwrittenError(GraderError):
    """The file of the batch at `path` could not be written. `reason` is that of the system."""

    def __init__(self, path: Path, error: OSError) -> None:
        self.path = path
        self.reason = tell_shortage(error) or error.strerror or str(error)
        super().__init__(f"{path} could not be written: {self.reason}")


class Ledger:
    """The reports of one batch folder, and the files for students beside them.

    The folder is listed when it is opened and at the end, and not for each report: with 20,000 reports in it, listing
    it took more than half of the time of the process that stores them. What another run adds meanwhile is
    put in order by `tidy`.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.doubtful: dict[str, str] = {}  # student -> why a report was not taken that the grader never wrote so
        self._listed: dict[str, tuple[str, ...]] = {}  # slug -> report files, as far as this run knows

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
            if not is_about_a_place(error):
                raise
            reason = error.strerror or type(error).__name__
            message = f"{self.folder} cannot be written to: {reason}. Choose another folder with --out DIR."
            raise UsageError(message) from error

    def list_exposed(self) -> list[Path]:
        """Return the folders that tell the seed and that other users can enter all the same."""
        folders = [folder for folder in (self.reports, self.faults) if folder.exists()]
        return [folder for folder in folders if os.name == "posix" and folder.stat().st_mode & OTHERS]

    def refresh(self) -> None:
        """List the reports anew: another run may have replaced some."""
        found: dict[str, tuple[str, ...]] = {}
        with os.scandir(self.reports) as listing:
            for entry in listing:
                slug, dashes, _ = entry.name.partition("--")
                if dashes and not slug.startswith(".") and entry.name.endswith(".json"):
                    found[slug] = (*found.get(slug, ()), entry.name)
        self._listed = found

    def tidy(self) -> None:
        """List the reports anew, and keep one for each student: the newest, where two runs stored different ones."""
        with contextlib.suppress(OSError):
            self.refresh()
        for slug, names in self._listed.items():
            if len(names) > 1 and (kept := self._choose(slug, names)):
                for name in set(names) - {kept}:
                    _remove(self.reports / name)
                self._listed[slug] = (kept,)

    def _choose(self, slug: str, names: Sequence[str]) -> str:
        """Return the name of the newest report of a student; nothing where none of them is a result."""
        found = {}
        for name in names:
            with contextlib.suppress(OSError, UsageError):
                report = load_report(self.reports / name)
                if _is_result(report) and make_slug(report.submission.student or "") == slug:
                    found[report.created_at, (self.reports / name).stat().st_mtime_ns, name] = name
        return found[max(found)] if found else ""

    def find(self, student: str, stamp: str) -> Report | None:
        """Return the report with this stamp. A torn file, or one that is not a result, counts as absent."""
        report = self._load(_name(make_slug(student), stamp), student)
        if report is None or all(_has_known_points(result) for result in report.exercises):
            return report
        self.doubtful[student] = "an exercise has other points than the grader gives"
        return None

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
        """Put a report in place, then remove the ones before. Raise `UnwrittenError` where it cannot be written."""
        slug = make_slug(student)
        name = _name(slug, stamp)
        put(self.reports / name, content)
        for old in self._listed.get(slug, ()):
            if old != name:
                _remove(self.reports / old)
        self._listed[slug] = (name,)
        _remove(self.faults / f"{slug}.json")

    def store_fault(self, student: str, content: bytes) -> None:
        """Keep the report on a fault of the grader. An earlier result stays as it is."""
        try:
            _make_private(self.faults)
        except OSError as error:
            raise UnwrittenError(self.faults, error) from error
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

    def is_remarked(self, student: str, remark: str) -> bool:
        """Return whether a student's table has a remark that is not from that student's report alone."""
        with contextlib.suppress(OSError):
            text = (self.students / f"{make_slug(student)}.txt").read_text(encoding="utf-8")
            return remark in " ".join(text.split())  # the table breaks its lines anywhere
        return False

    def count_strangers(self, students: Iterable[str]) -> int:
        """Return how many students have a report here and no work in the tree."""
        return len(set(self._listed) - {make_slug(student) for student in students})

    def identify(self, student: str, stamp: str) -> tuple[int, ...]:
        """Return what tells a report on the disk from any that replaces it; nothing where it is not there."""
        with contextlib.suppress(OSError):
            status = (self.reports / _name(make_slug(student), stamp)).stat()
            return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
        return ()

    def _load(self, name: str, student: str) -> Report | None:
        try:
            report = load_report(self.reports / name)
        except UsageError:
            return None
        if not _is_result(report) or report.submission.student != student:
            return None
        if contradiction := find_contradiction(report):
            self.doubtful[student] = contradiction
            return None
        return report


def _name(slug: str, stamp: str) -> str:
    return f"{slug}--{stamp[:STAMP_LENGTH]}.json"


def _is_result(report: Report) -> bool:
    return report.status == "graded" and report.score is not None


def _has_known_points(result: ExerciseResult) -> bool:
    asked = EXERCISES.get(result.slug)
    return asked is not None and asked.max_score == result.max_score


def _remove(path: Path) -> None:
    """Remove a file that may be gone. One that stays counts for nothing: a folder in its place, a disk that fails."""
    with contextlib.suppress(OSError):
        path.unlink()


def put(path: Path, content: bytes) -> None:
    """Replace a file of the batch in one step. Raise `UnwrittenError` naming it."""
    try:
        replace_file(path, content)
    except OSError as error:
        raise UnwrittenError(path, error) from error


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
