import importlib
import os

import click
import pytest

from grader.cli import COMMANDS, DEFAULT
from grader.cli.group import build_group, explain_unknown_word

FLAGS = [["--help"], ["-h"], ["--version"]]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_a_sentence(grade, name):
    done = grade(name, "--help")
    assert done.returncode == 0
    assert "Usage: grade" in done.stdout
    assert importlib.import_module(COMMANDS[name][0]).command.help


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_lists_each_command_the_options_of_grading_and_the_exit_codes(grade, flag):
    text = grade(flag).stdout
    assert "  PATH..." not in text
    for part in (*COMMANDS, "--seed", "--exercise", "--hints", "--output", "--isolation", "--version", "130"):
        assert part in text


def test_without_arguments_there_is_help(grade):
    done = grade()
    assert done.returncode == 0
    assert done.stdout == grade("--help").stdout


def test_version_names_the_grader_python_and_numpy(grade):
    from grader import __version__

    done = grade("--version")
    assert done.returncode == 0
    assert done.stdout.startswith(f"grade {__version__} (Python 3.")
    assert "numpy" in done.stdout


def _command_for(words, monkeypatch):
    """Return the command that the words reach, and its words."""
    reached = []

    class Probe(click.Command):
        def make_context(self, info_name, args, parent=None, **extra):
            reached.append((info_name, list(args)))
            raise click.exceptions.Exit(0)

    group = build_group(COMMANDS, DEFAULT)
    monkeypatch.setattr(group, "get_command", lambda ctx, name: Probe(name) if name in COMMANDS else None)
    group.main(args=words, prog_name="grade", standalone_mode=False)
    return reached[0]


@pytest.mark.parametrize(
    "words",
    [
        ["work"],
        ["work", "--seed", "3"],
        ["--seed", "3", "work"],
        ["./exercises"],
        ["nowhere/third_key.py"],
        ["third_key.py"],
        ["--", "x"],
    ],
)
def test_a_path_or_an_option_goes_to_the_default_command(words, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "work").mkdir()
    assert _command_for(words, monkeypatch) == (DEFAULT, words)


def test_a_command_wins_over_a_folder_of_its_name(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "exercises").mkdir()
    assert _command_for(["exercises"], monkeypatch) == ("exercises", [])


@pytest.mark.parametrize("word", ["", "\0", "x" * 5000])
def test_a_word_that_no_system_takes_as_a_path_is_a_plain_error(word, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(click.UsageError, match="neither a path nor a command"):
        build_group(COMMANDS, DEFAULT).main(args=[word], prog_name="grade", standalone_mode=False)


@pytest.mark.parametrize(
    ("word", "meant"), [("exercices", "exercises"), ("docter", "doctor"), ("asignments/", "assignments")]
)
def test_the_nearest_command_or_path_is_suggested(word, meant, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "assignments").mkdir()
    assert f"`{meant}`" in explain_unknown_word(word, COMMANDS)


def test_a_folder_that_cannot_be_listed_costs_only_the_suggestion(monkeypatch):
    def refuse(*_):
        raise PermissionError

    monkeypatch.setattr(os, "listdir", refuse)
    assert "`doctor`" in explain_unknown_word("docter", COMMANDS)
