"""Reading in a process of its own: what takes all its time or memory there, or crashes it, costs one submission.

Whose fault it is decides what happens next. Where the reading process used up its time, or crashed over the same piece
twice, that is the work's: the piece that it was about to read is left out, with the reason. What somebody else does to
it (killed for the memory of others, a machine that stands still) is tried once more, and then is a fault of the grader,
never the work's.
"""

import json
import os
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

from grader.errors import GraderError, NothingToGradeError
from grader.submissions.discovery import Discovery
from grader.submissions.pace import READING_SECONDS, Place, tell_late
from grader.submissions.parcels import pack_request, unpack_submission
from grader.submissions.records import Asked, Submission

MEMORY = 2 << 30  # bytes; 4 MiB of code take 1.1 GB, of lines like `x = 1` 1.6, of weights as numbers 0.5
GRACE = 5  # seconds of computing for what begins just before the time is over
STILL = 20.0  # seconds in which a process that reads computes something, also on a machine that is busy with others
WALL = 180.0  # seconds for one try
LEAST = 0.2  # seconds of computing that count as something
MOST_CRASHES = 3  # pieces that are left out one by one
MOST_DISTURBED = 2
MOST_TRIES = 11  # the last one opens nothing
# -P: a file `json.py` in the current folder is a student's, and must not be imported here.
COMMAND = (sys.executable, "-P", "-m", "grader.submissions.reader")
_ROOT = Path(__file__).resolve().parents[2]
_CRASHES = {getattr(signal, name, None) for name in ("SIGSEGV", "SIGBUS", "SIGABRT", "SIGILL", "SIGFPE", "SIGTRAP")}


class _Try(NamedTuple):
    """One run of the reading process: what it began, its answer (or None), and how it ended."""

    begun: dict[Place, int]
    answer: list[Any] | None
    status: int | None  # None: it was silent for too long
    said: str
    late: bool  # it had computed as long as it may


def read_apart(found: Discovery, asked: Asked) -> Submission:
    """Read a submission; see `read_submission` for what comes back and what is raised."""
    refused: dict[Place, str] = {}
    known: set[Place] | None = None
    disturbed = 0
    doubted: set[Place] = set()
    for number in range(MOST_TRIES):
        tried = _run(found, asked, refused, known)
        match tried.answer:
            case ["read", packed]:
                return unpack_submission(packed)
            case ["nothing", message]:
                raise NothingToGradeError(message)
        reason = _find_reason(tried)
        if not reason:
            disturbed += 1
            if disturbed == MOST_DISTURBED:
                raise GraderError(_tell_disturbed(tried))
            continue
        culprit = _find_culprit(tried, refused)
        if culprit is None:
            raise GraderError(_tell_disturbed(tried))
        # Anybody may send the signal of a crash, or that of the limit: what the work does comes back.
        if known is None and tried.answer is None and not tried.late and culprit not in doubted:
            doubted.add(culprit)
            continue
        refused[culprit] = reason
        if known is not None or reason == tell_late() or len(refused) > MOST_CRASHES:
            # There is no time for anything else: once more without what has not been read by now.
            known = set(tried.begun) - set(refused) if number < MOST_TRIES - 2 else set()
    message = "the process that reads the work ended early over nothing at all"
    raise GraderError(message)


def _run(found: Discovery, asked: Asked, refused: dict[Place, str], known: set[Place] | None) -> _Try:
    mark = secrets.token_hex(8)
    # What was read before is read again, and may take a little longer this time.
    seconds = READING_SECONDS * (1 if known is None else 2) + GRACE
    request = pack_request(found, asked, refused, known)
    request |= {"mark": mark, "rest": tell_late(), "cpu": int(seconds), "memory": MEMORY}
    try:
        process = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_environment(),
        )
    except OSError as error:
        message = f"the process that reads large work cannot be started: {error.strerror or type(error).__name__}"
        raise GraderError(message) from error
    before = _computed_by_children()
    with process:
        try:
            output, errors, status = _listen(process, json.dumps(request).encode())
        except BaseException:
            process.kill()
            raise
    told = [json.loads(line[len(mark) :]) for line in output.decode().splitlines() if line.startswith(mark)]
    begun = {(file, piece): size for kind, file, piece, size in (line for line in told if line[0] == "at")}
    answer = told[-1] if told and told[-1][0] != "at" else None
    late = _computed_by_children() - before > seconds - 1  # the system counts in ticks
    return _Try(begun, answer, status, errors.decode("utf-8", "replace").strip()[-300:], late)


def _computed_by_children() -> float:
    """Return the seconds that processes which this one started, and which have ended, have computed."""
    told = os.times()
    return told.children_user + told.children_system


def _listen(process: "subprocess.Popen[bytes]", request: bytes) -> tuple[bytes, bytes, int | None]:
    """Return what a process wrote, and its status; None where it stood still, or took too long, and was ended."""
    began, computed = time.monotonic(), 0.0
    content: bytes | None = request
    while True:
        try:
            output, errors = process.communicate(content, STILL)
        except subprocess.TimeoutExpired:
            content = None  # it has it, or goes on taking it
            so_far = _computed(process.pid)
            stands_still = so_far is not None and so_far - computed < LEAST
            if stands_still or time.monotonic() - began > WALL:
                process.kill()
                output, errors = process.communicate()
                return output, errors, None
            computed = so_far or 0.0
        else:
            return output, errors, process.returncode


def _computed(pid: int) -> float | None:
    """Return the seconds that another process has computed; None where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return None


def _find_reason(tried: _Try) -> str:
    """Return why the work could not be read; empty where the fault was not the work's."""
    if tried.answer is not None:  # there was no memory left for what follows the parsing
        return f"it needs more than {MEMORY >> 20} MiB of memory"
    if tried.status is None:
        # On POSIX the limit of computing time would have come first: the machine was busy with something else.
        return tell_late() if sys.platform == "win32" else ""
    if tried.status == -getattr(signal, "SIGXCPU", 0):
        return tell_late()
    if -tried.status in _CRASHES:
        return f"Python's parser crashed over it ({signal.Signals(-tried.status).name})"
    return ""


def _find_culprit(tried: _Try, refused: dict[Place, str]) -> Place | None:
    """Return what was being read; after all was parsed, the longest piece."""
    places = [place for place in tried.begun if place not in refused]
    if not places:
        return None
    if tried.answer is not None:
        return max(places, key=lambda place: (place[1] >= 0, tried.begun[place]))
    return places[-1]


def _tell_disturbed(tried: _Try) -> str:
    if tried.status is None:
        return f"the process that reads the work stood still for {STILL:g} s; the machine is too busy, grade again"
    how = f"exit code {tried.status}"
    if tried.status < 0:
        how = f"signal {-tried.status}"
    said = f"; it said: {tried.said.splitlines()[-1]}" if tried.said else ""
    return f"the process that reads the work ended early ({how}){said}; grade again"


def _environment() -> dict[str, str]:
    if _ROOT.name in ("site-packages", "dist-packages"):
        return dict(os.environ)
    # A checkout is found like this; an installed package is found anyway, and its folder must not precede the library.
    path = os.pathsep.join([str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path}
