"""A worker of a batch: a process that grades one submission after the other, with an engine of its own.

    python -P -m grader.batch.worker PARENT GREETING

It says the greeting, reads its setup and the frozen key from stdin, says that it is ready, then answers each job with
the report. It ends when stdin closes, and on Linux with its parent in any case.
"""

import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from grader.batch.frames import receive, receive_bytes, send
from grader.course import find_course
from grader.errors import GraderError, NothingToGradeError, UnreadableWorkError, UsageError
from grader.feedback import FORMATS, View
from grader.files import unpack_path
from grader.grading import grade_submission
from grader.reporting import Person, Subject, report_fault
from grader.sandbox import Engine, open_engine
from grader.settings import Settings
from grader.shortage import tell_shortage
from grader.submissions import Asked, Submission, SubmittedFile, read_submission
from grader.submissions.asking import read_asked
from grader.submissions.discovery import TooMuchError
from grader.submissions.flags import NOTHING_FOUND, TOO_LARGE
from grader.submissions.states import empty_submission, mention_conflicts

if TYPE_CHECKING:
    from pathlib import Path

    from grader.key.answer_key import AnswerKey
    from grader.report import Report


@dataclass(frozen=True)
class Bench:
    """Everything that the jobs of this worker share. `leave_out` are folders that are nobody's work."""

    engine: Engine
    key: "AnswerKey"
    asked: Asked
    settings: Settings
    leave_out: "Sequence[Path]"

    def grade(self, job: dict[str, Any]) -> "Report":
        """Grade one job. Never raise for what the work is; a fault of ours becomes the report's status."""
        person = Person(job["student"], job["attempt"], job["late"])
        files = tuple(SubmittedFile(*file) for file in job["files"])
        try:
            submission = self._read(job, files)
        except Exception as error:  # noqa: BLE001 (a fault of ours, or of the disk, and never a student's zero)
            nothing = empty_submission(job["label"], "The work was not read.", self.asked, files)
            return report_fault(Subject(nothing, self.key.label, self.settings, person), error)
        return grade_submission(submission, self.key, self.engine, self.settings, person)

    def _read(self, job: dict[str, Any], files: tuple[SubmittedFile, ...]) -> Submission:
        if unread := [file.name for file in files if not file.sha256]:
            message = f"{unread[0]} cannot be read; look at its permissions and at the disk, then grade again"
            raise UsageError(message)
        try:
            names = {unpack_path(path): name for path, name in job.get("names", ())}
            submission = read_submission(list(map(unpack_path, job["paths"])), self.asked, self.leave_out, names)
        except UnreadableWorkError:
            raise
        except NothingToGradeError as error:
            flag = TOO_LARGE if isinstance(error, TooMuchError) else NOTHING_FOUND
            return empty_submission(job["label"], str(error), self.asked, files, flag=flag)
        return mention_conflicts(submission._replace(path=job["label"]))


def open_bench(setup: dict[str, Any], frozen: bytes) -> Bench:
    """Start the engine, then import and make ready what the jobs share while it starts."""
    settings = Settings.unpack(setup["settings"])
    engine = open_engine(isolation=settings.isolation)
    try:
        from grader.key.frozen import thaw

        asked = read_asked(find_course(settings.course))
        leave_out = list(map(unpack_path, setup["leave_out"]))
        bench = Bench(engine, thaw(frozen), asked, settings, leave_out)
        engine.isolation()
    except BaseException:
        engine.close()
        raise
    return bench


def pack_report(report: "Report") -> dict[str, Any]:
    """Return a report as the batch keeps it: all of it, and the two files that the student may see."""
    from grader.export.gradebook import make_row, pack_row
    from grader.report import dump_report

    shown = report.for_student()
    return {
        "report": dump_report(report),
        "student_json": dump_report(shown),
        "student_text": FORMATS["text"](shown, View()),
        "graded": report.status == "graded",
        "row": pack_row(make_row(report, report.submission.student or "")),
        "files": [[file.name, file.sha256] for file in report.submission.files],
    }


def serve(source: IO[bytes], sink: IO[bytes]) -> None:
    """Answer jobs until the batch closes the connection."""
    try:
        setup = receive(source)
        frozen = receive_bytes(source)
    except EOFError:
        return
    try:
        bench = open_bench(setup, frozen)
    except GraderError as error:
        shortage = tell_shortage(error)
        send(sink, {"short": shortage} if shortage else {"refused": str(error), "kind": type(error).__name__})
        return
    except Exception as error:
        if not (shortage := tell_shortage(error)):
            raise
        send(sink, {"short": shortage})
        return
    with bench.engine:
        send(sink, {"ready": True})
        while True:
            try:
                job = receive(source)
            except EOFError:
                return
            send(sink, pack_report(bench.grade(job)))


def main(arguments: Sequence[str]) -> None:
    """Tie this process to its parent, keep stdout for frames, and serve."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the batch decides what an interruption means
    if sys.platform == "linux":
        from grader.sandbox.shared.linux import die_with_parent

        die_with_parent(int(arguments[0]))
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing that a library prints may get between the frames
    # What a `sitecustomize` printed before this module was run came first, and the batch skips it.
    sink.write(arguments[1].encode())
    sink.flush()
    serve(sys.stdin.buffer, sink)


if __name__ == "__main__":
    main(sys.argv[1:])
