"""Each exit code of the command, from a real process. No traceback reaches a person in any of them."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

from builders import automatic_points, written_points
from grader.cli import run


@pytest.fixture
def wrong_work(right_work):
    """Return a folder where one function is wrong."""
    path = right_work / "third_key.py"
    text = path.read_text(encoding="utf-8") + "\n\ndef dominant_key(weights):\n    return weights.argmin(axis=1)\n"
    path.write_text(text, encoding="utf-8")
    return right_work


def sentence(done):
    """Return the one sentence on stderr."""
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("grade: ")
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def test_full_marks_end_with_0_and_leave_a_report(grade, right_work, tmp_path):
    done = grade(right_work, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    full, waiting = f"{automatic_points():g}", f"{written_points():g}"
    assert done.stdout.startswith(f"Full marks: {full} of {full} points; {waiting} more wait for a person.")
    assert "report.json" in sentence(done)
    assert json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["score"] == automatic_points()


def test_missing_points_end_with_1_or_with_0_where_a_service_needs_it(grade, wrong_work):
    done = grade(wrong_work, "--exercise", "third_key", "--no-report")
    assert done.returncode == 1
    assert "failed: dominant_key" in done.stdout
    assert done.stderr == ""
    assert grade(wrong_work, "--exercise", "third_key", "--no-report", "--exit-zero").returncode == 0


def test_untouched_stubs_end_with_1_and_twelve_lines(grade, root):
    done = grade(root / "assignments")
    assert done.returncode == 1
    assert len(done.stdout.splitlines()) <= 12
    assert "not started" in done.stdout


@pytest.mark.parametrize(
    "words",
    [
        ["nowhere/"],
        ["nowhere.py"],
        ["nonsense"],
        ["--no-such-option", "."],
        ["--seed", "-1", "."],
        ["--seed", "many", "."],
        ["--timeout", "nan", "."],
        ["--timeout", "0", "."],
        ["--memory", "1", "."],
        ["--hints", "3", "."],
        ["--exercise", "fourier", "."],
        ["--format", "yaml", "."],
        ["--output", "yaml:x", "."],
        ["--output", "json:", "."],
        ["--output", "json:no/such/folder/x.json", "."],
        ["--report", "no/such/folder/report.json", "."],
        ["--seed", "3"],
        ["--seed", "3", "schema"],
        ["schema", "more"],
    ],
    ids=" ".join,
)
def test_wrong_usage_ends_with_2_and_one_sentence(words, capfd, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    code = run(words)
    out, err = capfd.readouterr()
    assert (code, out) == (2, "")
    assert err.startswith("grade: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "words", [["nowhere/"], ["nonsense"], ["--course", "nowhere", "."], ["--seed", "3"]], ids=" ".join
)
def test_wrong_usage_of_the_real_command_ends_with_2(grade, words):
    done = grade(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    sentence(done)


def test_two_different_answers_end_with_2_and_both_places(grade, right_work):
    (right_work / "other.py").write_text("def add_key(K, V, key, value):\n    return K, V\n", encoding="utf-8")
    done = grade(right_work)
    assert done.returncode == 2
    text = sentence(done)
    assert "other.py" in text
    assert "third_key.py" in text


def test_a_broken_sandbox_ends_with_3_and_no_score(grade, checkout, right_work, tmp_path):
    (checkout / "grader" / "sandbox" / "child" / "worker.py").write_text("raise RuntimeError\n", encoding="utf-8")
    done = grade(right_work, "--report", tmp_path / "report.json", cwd=checkout)
    assert done.returncode == 3
    assert "not your fault" in done.stdout
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert (report["status"], report["score"]) == ("grader_error", None)
    assert grade(right_work, "--exit-zero", cwd=checkout).returncode == 3


@pytest.mark.skipif(sys.platform != "linux", reason="needs a folder in which nobody may write")
def test_a_report_that_cannot_be_written_ends_with_3_after_the_table(grade, right_work):
    done = grade(right_work, "--exercise", "third_key", "--report", "/proc/report.json")
    assert done.returncode == 3
    assert "Full marks" in done.stdout
    assert "another place" in sentence(done)


def test_a_folder_where_the_report_should_be_ends_with_2(grade, right_work, tmp_path):
    (tmp_path / "report.json").mkdir()
    done = grade(right_work, cwd=tmp_path)
    assert done.returncode == 2
    assert "report.json" in sentence(done)


@pytest.mark.parametrize("name", ["third_key.py", "attention.ipynb"])
def test_stubs_out_of_step_end_with_4_and_a_difference(grade, checkout, name):
    path = checkout / "assignments" / name
    path.write_text(path.read_text(encoding="utf-8").replace("NotImplementedError", "TypeError", 1), encoding="utf-8")
    done = grade("stubs", "--check", cwd=checkout)
    assert done.returncode == 4
    assert "TypeError" in done.stdout
    assert "grade stubs" in sentence(done)
    assert grade("stubs", cwd=checkout).returncode == 0
    assert grade("stubs", "--check", cwd=checkout).returncode == 0


@pytest.mark.slow
def test_a_key_out_of_step_ends_with_4_until_it_is_frozen_again(grade, checkout):
    path = checkout / "solutions" / "multi_head.py"
    path.write_text(path.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    done = grade("key", "--check", cwd=checkout)
    assert done.returncode == 4
    assert done.stdout
    assert "grade key" in sentence(done)
    assert grade("key", cwd=checkout).returncode == 0
    assert grade("key", "--check", cwd=checkout).returncode == 0


@pytest.mark.parametrize("content", [None, b"", b"PK\x03\x04", b"not a key"])
def test_a_key_that_is_missing_or_broken_ends_with_4(grade, checkout, content):
    key = checkout / "grader" / "public_key.npz"
    key.unlink() if content is None else key.write_bytes(content)
    done = grade("assignments", cwd=checkout)
    assert done.returncode == 4
    text = sentence(done)
    assert "answer key" in text
    assert "`grade key`" in text
    assert grade("doctor", cwd=checkout).returncode == 3


def test_a_broken_solution_ends_with_4_and_its_name(grade, checkout):
    (checkout / "solutions" / "multi_head.py").write_text("def (\n", encoding="utf-8")
    for words in (["assignments", "--seed", "3"], ["stubs"], ["key"]):
        done = grade(*words, cwd=checkout)
        assert done.returncode == 4
        assert "multi_head.py" in sentence(done)


def test_commands_that_need_solutions_say_so_where_there_are_none(grade, checkout, root):
    shutil.rmtree(checkout / "solutions")
    shutil.move(checkout / "assignments", checkout / "grader" / "_course" / "assignments")
    for words in (["x", "--seed", "3"], ["stubs", "--check"], ["key", "--check"]):
        (checkout / "x").mkdir(exist_ok=True)
        shutil.copy(root / "solutions" / "multi_head.py", checkout / "x")
        done = grade(*words, cwd=checkout)
        assert done.returncode == 4
        assert "--course DIR" in sentence(done)


@pytest.mark.parametrize("name", [None, "notes.txt", "unrelated.py", "empty.py"])
def test_nothing_to_grade_ends_with_5(grade, tmp_path, name):
    folder = tmp_path / "handed in"
    folder.mkdir()
    if name is not None:
        (folder / name).write_text("" if name == "empty.py" else "x = 1\n", encoding="utf-8")
    done = grade(folder)
    assert done.returncode == 5
    assert "handed in" in sentence(done)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_ends_with_130_and_one_sentence_and_leaves_no_process(tmp_path):
    (tmp_path / "third_key.py").write_text("while True:\n    pass\n\ndef softmax(x):\n    return x\n", encoding="utf-8")
    command = [sys.executable, "-m", "grader", "third_key.py", "--import-timeout", "60", "--total-timeout", "60"]
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=-1, stderr=-1, text=True) as process:
        deadline = time.monotonic() + 30
        while not children(process.pid) and time.monotonic() < deadline:
            time.sleep(0.05)
        started = children(process.pid)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    # Where the signal meets code that was made from a string, such as a dataclass's methods, CPython 3.11 ends
    # `python -m` by the signal itself although the exception was caught. A shell says 130 in both cases.
    assert process.returncode in (130, -signal.SIGINT)
    # click ends the line that the terminal began with ^C.
    assert (out, err.strip().count("\n")) == ("", 0)
    assert "interrupted" in err
    assert not [pid for pid in started if alive(pid)]


def children(pid):
    listing = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    return [int(child) for child, parent in map(str.split, listing.splitlines()) if int(parent) == pid]


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
