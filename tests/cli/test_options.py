"""The options of grading: what was chosen arrives as one record, and a default stands in one place."""

import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from grader.cli.options import class_options, grading_options
from grader.limits import Limits
from grader.settings import Settings

WORDS = {
    "--seed": "3",
    "--exercise": "third_key",
    "--timeout": "0.5",
    "--import-timeout": "4",
    "--total-timeout": "9",
    "--memory": "64",
    "--isolation": "weak",
    "--course": "somewhere",
}
CHOSEN = Settings(
    exercises=("third_key",), limits=Limits(0.5, 4.0, 9.0, 64), isolation="weak", seed=3, course=Path("somewhere")
)


@pytest.fixture(params=[grading_options, class_options])
def settle(request):
    """Return a function that takes words and returns the settings that a command gets, for each kind of command."""

    def run(*words):
        taken = []
        command = click.command()(request.param(lambda *, settings: taken.append(settings)))
        done = CliRunner().invoke(command, words, catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return taken[0] if taken else done.output

    return run


def test_without_a_choice_the_settings_are_the_defaults(settle):
    assert settle() == Settings()


def test_every_choice_arrives_in_the_settings(settle):
    assert settle(*(word for pair in WORDS.items() for word in pair)) == CHOSEN


def test_an_exercise_that_is_named_twice_is_graded_once(settle):
    words = ("--exercise", "multi_head", "--exercise", "third_key", "--exercise", "multi_head")
    assert settle(*words).exercises == ("multi_head", "third_key")


def test_the_help_has_every_option_and_the_limits_that_hold(settle):
    text = re.sub(r"\s+", " ", settle("--help"))
    assert set(re.findall(r"--[a-z-]+", text)) == {*WORDS, "--help"}
    shown = re.findall(r"\(default: ([\d.]+)\)", text)
    limits = Limits()
    assert shown == [f"{value:g}" for value in (limits.call, limits.load, limits.submission, limits.memory)]


@pytest.mark.parametrize("word", ["0", "-1", "nan", "inf", "90000", "soon"])
def test_a_time_that_is_none_is_refused_by_its_word(word):
    command = click.command()(grading_options(lambda *, settings: settings))
    done = CliRunner().invoke(command, ["--timeout", word])
    assert done.exit_code == 2
    assert f"`{word}` is not a number of seconds" in done.output
