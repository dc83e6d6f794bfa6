"""The options of grading, the same for every command that grades. All choices become one `Settings`."""

import functools
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import click

from grader.limits import Limits
from grader.settings import Isolation, Settings

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

_DAY = 86_400.0
_DEFAULT = Settings()


def _parse_seconds(word: str | float) -> float:
    """Return a positive, finite number of seconds, or end with a sentence."""
    try:
        seconds = float(word)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= _DAY:
        message = f"`{word}` is not a number of seconds between 0 and {_DAY:.0f}."
        raise click.BadParameter(message)
    return seconds


def _parse_slug(word: str) -> str:
    """Return the name of an exercise, or end with a sentence that lists them. Import the registry only here."""
    from grader.exercises import EXERCISES

    if word not in EXERCISES:
        message = f"`{word}` is not an exercise; there are {', '.join(EXERCISES)}."
        raise click.BadParameter(message)
    return word


def course_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--course DIR`."""
    return click.option(
        "--course",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="Folder that holds solutions/ and assignments/ (default: the checkout, or what is installed).",
    )(command)


def exercise_option(purpose: str) -> Decorator:
    """Return a decorator that adds `--exercise SLUG`, with a help that says what it is good for."""
    return click.option(
        "--exercise", "exercises", type=_parse_slug, multiple=True, metavar="SLUG", help=f"{purpose} (repeatable)."
    )


def _limit(flag: str, name: str, kind: Any, metavar: str, help_text: str) -> Decorator:
    """Return a decorator that adds the option for one field of `Limits`, where its default stands."""
    default = getattr(_DEFAULT.limits, name)
    shown = f"{help_text} (default: {default:g})."
    return click.option(flag, name, type=kind, default=default, metavar=metavar, help=shown)


def _seed(help_text: str) -> Decorator:
    return click.option("--seed", type=click.IntRange(min=0), metavar="INT", help=help_text)


def _isolation(help_text: str) -> Decorator:
    return click.option("--isolation", type=click.Choice(get_args(Isolation)), help=help_text)


_GRADING: tuple[Decorator, ...] = (
    exercise_option("Grade this exercise only"),
    _limit("--timeout", "call", _parse_seconds, "SECONDS", "Time for one call"),
    _limit("--import-timeout", "load", _parse_seconds, "SECONDS", "Time to import a file"),
    _limit("--total-timeout", "submission", _parse_seconds, "SECONDS", "Time for the whole submission"),
    _limit("--memory", "memory", click.IntRange(16, 1 << 20), "MIB", "Memory beyond the interpreter"),
    course_option,
)


def grading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of grading one person's work; the command gets the choices as `settings`."""
    return add_options(
        (
            _seed("Draws other inputs than the public ones (needs a checkout)."),
            *_GRADING,
            _isolation("full refuses a system that cannot hide files; the default is as strong as the system allows."),
        ),
        _take_settings(command),
    )


def class_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the same options as they are meant for a class, which has hidden inputs."""
    return add_options(
        (
            _seed("Draws the hidden inputs (default: drawn once, kept in DIR)."),
            *_GRADING,
            _isolation("full (default with hidden inputs) refuses a system that cannot hide files; weak accepts it."),
        ),
        _take_settings(command),
    )


def _take_settings(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return the command with one record in place of the single options. Nowhere else is it made from them."""

    @functools.wraps(command)
    def take(
        *,
        seed: int | None,
        exercises: tuple[str, ...],
        call: float,
        load: float,
        submission: float,
        memory: int,
        isolation: Isolation | None,
        course: Path | None,
        **others: Any,
    ) -> Any:
        # An exercise that was named twice is graded once.
        wanted = tuple(dict.fromkeys(exercises))
        settings = Settings(wanted, Limits(call, load, submission, memory), isolation, seed, course)
        return command(settings=settings, **others)

    return take


def add_options(options: tuple[Decorator, ...], command: Callable[..., Any]) -> Callable[..., Any]:
    """Add options to a command, in the order in which its help lists them."""
    for option in reversed(options):
        command = option(command)
    return command
