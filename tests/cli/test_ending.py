import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

from builders import build_perfect, build_untouched
from grader.cli.ending import code_of, settle
from grader.errors import CourseError, GraderError, NothingToGradeError, SandboxError, UsageError
from grader.inert import is_inert


def raising(error):
    def action():
        raise error

    return action


@pytest.mark.parametrize(
    ("kind", "code"), [(UsageError, 2), (GraderError, 3), (SandboxError, 3), (CourseError, 4), (NothingToGradeError, 5)]
)
def test_an_error_of_ours_is_its_sentence_and_its_exit_code(kind, code, capfd):
    assert settle(raising(kind("work/ is empty. Give a folder with answers."))) == code
    assert capfd.readouterr() == ("", "grade: work/ is empty. Give a folder with answers.\n")


def test_a_usage_error_points_at_the_help(capfd):
    assert settle(raising(click.UsageError("no such option: --sead"))) == 2
    assert capfd.readouterr().err == "grade: no such option: --sead. See `grade --help`.\n"


def test_an_interruption_ends_with_130(capfd):
    for error in (KeyboardInterrupt(), click.Abort()):
        assert settle(raising(error)) == 130
    assert "Traceback" not in capfd.readouterr().err


def test_an_unexpected_fault_is_one_sentence_and_keeps_its_details_in_a_file(capfd, monkeypatch, tmp_path):
    monkeypatch.delenv("GRADE_DEBUG", raising=False)
    with monkeypatch.context() as patch:
        patch.setattr("tempfile.tempdir", str(tmp_path))
        assert settle(lambda: 1 // 0) == 3
    text = capfd.readouterr().err
    (kept,) = tmp_path.iterdir()
    assert "Traceback" not in text
    assert text.count("\n") == 1
    assert "ZeroDivisionError" in text
    assert str(kept) in text
    assert "Traceback" in kept.read_text()


def test_debugging_shows_the_traceback(capfd, monkeypatch):
    monkeypatch.setenv("GRADE_DEBUG", "1")
    assert settle(lambda: 1 // 0) == 3
    assert "Traceback" in capfd.readouterr().err


def test_a_disk_without_room_for_details_is_no_second_fault(capfd, monkeypatch):
    monkeypatch.delenv("GRADE_DEBUG", raising=False)
    with monkeypatch.context() as patch:
        patch.setattr("tempfile.tempdir", str(Path(__file__) / "nowhere"))
        assert settle(lambda: 1 // 0) == 3
    assert "could not be kept" in capfd.readouterr().err


def test_exit_codes_follow_the_report():
    fault = build_perfect().model_copy(update={"status": "grader_error", "score": None})
    assert [code_of(report, exit_zero=False) for report in (build_perfect(), build_untouched(), fault)] == [0, 1, 3]
    assert [code_of(report, exit_zero=True) for report in (build_perfect(), build_untouched(), fault)] == [0, 0, 3]


@pytest.mark.parametrize("word", ["schema", "exercises", "--help", "--version"])
def test_a_reader_that_has_left_is_no_fault(word):
    reading, writing = os.pipe()
    os.close(reading)
    try:
        command = [sys.executable, "-m", "grader", word]
        done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, check=False, timeout=60)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_terminated_run_leaves_no_folder_and_no_process(tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    (work / "third_key.py").write_text("def softmax(x):\n    open('begun', 'w').close()\n    while True: pass\n")
    place = tmp_path / "temporary"
    place.mkdir()
    running = subprocess.Popen(
        [sys.executable, "-m", "grader", str(work), "--no-report", "--timeout", "60"],
        env=os.environ | {"TMPDIR": str(place)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    until = time.monotonic() + 30
    while not list(place.rglob("begun")) and time.monotonic() < until:
        time.sleep(0.05)
    assert list(place.rglob("begun"))
    running.terminate()
    said = running.communicate(timeout=20)[1]
    assert running.returncode == 143
    assert said == "grade: ended by a signal; no report was written.\n"
    assert list(place.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell's redirections")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_run_without_streams_ends_as_any_other(closed):
    line = f'"{sys.executable}" -m grader explain E1-01 {closed}'
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
def test_a_full_stdout_is_said_in_one_sentence():
    line = f'"{sys.executable}" -m grader explain E1-01 > /dev/full'
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert "could not be written to stdout: No space left on device" in done.stderr


HANGS_UP = """
import os, signal, sys
class Finder:
    def find_spec(self, name, *_):
        if name == {module!r}:
            os.kill(os.getpid(), {number})
sys.meta_path.insert(0, Finder())
sys.argv[1:] = {words!r}
from grader.__main__ import main
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("module", ["click", "grader.cli.batch", "grader.batch.run", "numpy"])
@pytest.mark.parametrize(
    ("number", "code", "word"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "signal"), (signal.SIGHUP, 143, "signal")],
)
def test_a_signal_in_the_first_moments_is_one_sentence(tmp_path, module, number, code, word):
    (tmp_path / "doe").mkdir()
    (tmp_path / "doe" / "a.py").write_text("x = 1\n")
    words = ["batch", str(tmp_path), "--out", str(tmp_path / "out")]
    script = HANGS_UP.format(module=module, number=int(number), words=words)

    def heed():  # whoever starts the tests may have had it ignored
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)

    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False, preexec_fn=heed
    )
    assert (done.returncode, done.stdout) == (code, ""), done.stderr
    assert word in done.stderr
    assert len(done.stderr.split("\n")) <= 3  # click ends the line in which a terminal shows ^C
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("error", "part"),
    [
        (OSError(errno.EMFILE, "Too many open files"), "may open no more files"),
        (BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable"), "no further process can be started"),
        (RuntimeError("can't start new thread"), "no further thread can be started"),
        (MemoryError(), "not enough memory"),
        (ImportError("libc.so.6: failed to map segment from shared object"), "not enough memory"),
        (ImportError("libc.so.6: cannot open shared object file: Too many open files"), "may open no more files"),
        (OSError(errno.ENOSPC, "No space left on device", "a.txt"), "a.txt: No space left on device"),
        (FileNotFoundError(errno.ENOENT, "No usable temporary directory found in ['/tmp']"), "no temporary folder"),
    ],
)
def test_what_the_machine_lacks_is_no_fault_of_the_grader(capfd, monkeypatch, error, part):
    monkeypatch.delenv("GRADE_DEBUG", raising=False)
    assert settle(raising(error)) == 3
    said = capfd.readouterr().err
    assert part in said
    assert said.count("\n") == 1
    assert "unexpected" not in said


def test_a_shortage_behind_another_error_is_told(capfd):
    error = ValueError()
    error.__cause__ = MemoryError()
    assert settle(raising(error)) == 3
    assert "not enough memory" in capfd.readouterr().err


ACTS = "\x1b[2J\u202e\u200b\n"


def test_nothing_in_a_sentence_acts_on_the_terminal(capfd):
    assert settle(raising(UsageError(f"{ACTS} does not exist."))) == 2
    assert capfd.readouterr().err == "grade: \\x1b[2J\\u202e\\u200b\\n does not exist.\n"


@pytest.mark.parametrize("debug", ["", "1"])
def test_nothing_in_the_details_of_a_fault_acts_on_the_terminal(capfd, monkeypatch, tmp_path, debug):
    monkeypatch.setenv("GRADE_DEBUG", debug)
    with monkeypatch.context() as patch:
        patch.setattr("tempfile.tempdir", str(tmp_path))
        assert settle(raising(ValueError(ACTS))) == 3
    shown = capfd.readouterr().err if debug else next(tmp_path.iterdir()).read_text()
    assert "ValueError: \\x1b[2J\\u202e\\u200b" in shown
    assert "Traceback" in shown
    assert all(map(is_inert, shown.replace("\n", "")))


@pytest.mark.skipif(not hasattr(signal, "SIGCHLD"), reason="Windows has no such signal")
def test_how_a_process_ended_is_known_also_where_whoever_starts_the_grader_does_not_care():
    text = (
        "import signal, subprocess, sys, grader.cli\n"
        "from grader.__main__ import main\n"
        "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "grader.cli.run = lambda *_: subprocess.call([sys.executable, '-c', 'raise SystemExit(7)'])\n"
        "main()"
    )
    assert subprocess.run([sys.executable, "-c", text], check=False, timeout=60).returncode == 7
