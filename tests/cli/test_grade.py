"""The default command: its output, the files it writes, and their order."""

import json
import os
import subprocess
import sys

import pytest

from builders import automatic_points

ONE = ("--exercise", "third_key")


def test_json_on_stdout_is_the_report_in_the_file(grade, right_work, tmp_path):
    done = grade(right_work, *ONE, "--format", "json", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout == (tmp_path / "report.json").read_text(encoding="utf-8")


def test_several_outputs_are_written_beside_the_report(grade, right_work, tmp_path):
    done = grade(right_work, *ONE, "--output", "text:table.txt", "--output", "json:copy.json", cwd=tmp_path)
    assert done.returncode == 0
    assert (tmp_path / "table.txt").read_text(encoding="utf-8") == done.stdout
    assert (tmp_path / "copy.json").read_bytes() == (tmp_path / "report.json").read_bytes()


def test_no_report_leaves_the_folder_as_it_was(grade, right_work, tmp_path):
    before = sorted(tmp_path.rglob("*"))
    assert grade(right_work, *ONE, "--no-report", cwd=tmp_path).returncode == 0
    assert sorted(tmp_path.rglob("*")) == before


def test_options_may_stand_before_and_after_the_path(grade, right_work):
    first = grade(*ONE, "--format", "json", "--no-report", right_work)
    last = grade(right_work, *ONE, "--format", "json", "--no-report")
    named = grade("grade", right_work, *ONE, "--format", "json", "--no-report")
    assert first.returncode == 0
    assert without_times(first.stdout) == without_times(last.stdout) == without_times(named.stdout)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_report_and_another_one_other_inputs(grade, right_work):
    one, again, other = (
        without_times(grade(right_work, *ONE, "--seed", seed, "--format", "json", "--no-report").stdout)
        for seed in "334"
    )
    assert one == again
    assert one["seed"] == 3
    assert one["key_digest"] != other["key_digest"]
    assert one["score"] == other["score"] == automatic_points("third_key")


def without_times(text):
    record = json.loads(text)
    record["created_at"] = None
    for exercise in record["exercises"]:
        for check in exercise["checks"]:
            check["seconds"] = None
    return record


def test_a_folder_with_the_name_of_a_command_is_graded_as_a_path(grade, right_work, tmp_path):
    right_work.rename(tmp_path / "exercises")
    assert grade("./exercises", *ONE, "--no-report", cwd=tmp_path).returncode == 0
    assert "softmax(x, axis=-1)" in grade("exercises", cwd=tmp_path).stdout


ODD_NAME = "Müller, Zoë – hw 1 (final) 🙂"


def test_names_with_spaces_accents_and_symbols_are_paths(grade, right_work, tmp_path):
    done = grade(right_work.rename(tmp_path / ODD_NAME), *ONE, cwd=tmp_path)
    assert done.returncode == 0
    assert "Müller" in json.loads((tmp_path / "report.json").read_bytes())["submission"]["path"]


def test_names_that_the_locale_cannot_spell_are_paths(grade, c_locale, right_work, tmp_path):
    assert grade(right_work.rename(tmp_path / ODD_NAME), *ONE, "--no-report", env=c_locale).returncode == 0


def test_a_tilde_that_the_shell_left_is_the_home_folder(grade, right_work):
    home = {"HOME": str(right_work.parent), "USERPROFILE": str(right_work.parent)}
    assert grade("~/work", *ONE, "--no-report", env=home).returncode == 0


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_where_symbols_cannot_be_written_the_words_stand_alone(grade, tmp_path, encoding):
    (tmp_path / "third_key.py").write_text("def softmax(x):\n    raise ValueError('ψ≠ü')\n", encoding="utf-8")
    environment = {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    done = grade("third_key.py", *ONE, cwd=tmp_path, env=environment)
    assert done.returncode == 1, done.stderr
    assert "x error: softmax" in done.stdout
    assert "\\u03c8" in done.stdout
    assert done.stdout.encode(encoding)


def test_a_pipe_gets_no_colour_unless_it_is_asked_for(grade, right_work):
    plain = grade(right_work, *ONE, "--no-report").stdout
    assert "\x1b" not in plain
    assert "\x1b[" in grade(right_work, *ONE, "--no-report", "--color", "always").stdout
    assert "\x1b[" in grade(right_work, *ONE, "--no-report", env={"FORCE_COLOR": "1"}).stdout
    assert grade(right_work, *ONE, "--no-report", env={"FORCE_COLOR": "1", "NO_COLOR": "1"}).stdout == plain
    assert "\x1b" not in grade(right_work, *ONE, "--no-report", "--color", "always", "--format", "json").stdout


def test_an_exception_of_a_student_cannot_drive_the_terminal(grade, tmp_path):
    text = "def softmax(x):\n    raise ValueError('\\x1b]0;owned\\x07\\x1b[2J\\u202e')\n"
    (tmp_path / "third_key.py").write_text(text, encoding="utf-8")
    done = grade("third_key.py", cwd=tmp_path)
    assert done.returncode == 1
    assert all(line.isprintable() for line in done.stdout.splitlines())
    assert "\\x1b]0;owned" in done.stdout


def test_a_reader_that_left_costs_neither_report_nor_exit_code(right_work, tmp_path):
    reading, writing = os.pipe()
    os.close(reading)
    try:
        command = [sys.executable, "-m", "grader", right_work, *ONE]
        done = subprocess.run(command, cwd=tmp_path, stdout=writing, stderr=-1, check=False, timeout=60)
    finally:
        os.close(writing)
    assert done.returncode == 0
    assert b"report.json" in done.stderr
    assert json.loads((tmp_path / "report.json").read_bytes())["score"] == automatic_points("third_key")


def test_a_report_names_no_folder_host_or_user_of_this_machine(grade, right_work, tmp_path):
    import getpass
    import socket

    grade(right_work, cwd=tmp_path)
    text = (tmp_path / "report.json").read_text(encoding="utf-8")
    assert str(tmp_path) not in text
    assert socket.gethostname() not in text
    assert f"/{getpass.getuser()}/" not in text


def test_a_short_timeout_reaches_the_sandbox(grade, tmp_path):
    (tmp_path / "third_key.py").write_text("def softmax(x):\n    while True:\n        pass\n", encoding="utf-8")
    done = grade("third_key.py", "--timeout", "0.3", *ONE, cwd=tmp_path)
    assert done.returncode == 1
    assert "timeout: softmax" in done.stdout
    assert "0.3 s" in done.stdout
