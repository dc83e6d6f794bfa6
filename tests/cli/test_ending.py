import os
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

from builders import build_perfect, build_untouched
from grader.cli.ending import code_of, settle
from grader.errors import CourseError, GraderError, NothingToGradeError, SandboxError, UsageError


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
