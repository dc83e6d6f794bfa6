"""The options of grading, the same for every command that grades."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.feedback import FORMATS

if TYPE_CHECKING:
    from grader.calls import Limits

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

_DAY = 86_400.0


@dataclass(frozen=True)
class GradingChoices:
    """How to grade, as it was chosen on the command line; the options below name it."""

    seed: int | None
    exercise: tuple[str, ...]
    timeout: float | None
    import_timeout: float | None
    total_timeout: float | None
    memory: int | None
    isolation: str | None
    course: Path | None

    def limits(self) -> "Limits":
        """Return the limits of the sandbox: its own, where nothing else was chosen."""
        from grader.calls import Limits

        chosen = {
            "call": self.timeout,
            "load": self.import_timeout,
            "submission": self.total_timeout,
            "memory": self.memory,
        }
        return Limits(**{name: value for name, value in chosen.items() if value is not None})  # type: ignore[arg-type]


@dataclass(frozen=True)
class Choices(GradingChoices):
    """How to grade one person's work, and what becomes of the report."""

    format: str
    output: tuple[tuple[str, Path], ...]
    color: str
    hints: int
    exit_zero: bool
    report: Path
    no_report: bool

    def targets(self) -> tuple[Path, ...]:
        """Return the files that will be written."""
        kept = () if self.no_report else (self.report,)
        return (*kept, *(path for _, path in self.output))


def parse_seconds(word: str) -> float:
    """Return a positive, finite number of seconds, or end with a sentence."""
    try:
        seconds = float(word)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= _DAY:
        message = f"`{word}` is not a number of seconds between 0 and {_DAY:.0f}."
        raise click.BadParameter(message)
    return seconds


def parse_slug(word: str) -> str:
    """Return the name of an exercise, or end with a sentence that lists them. Imports the registry only here."""
    from grader.exercises import EXERCISES

    if word not in EXERCISES:
        message = f"`{word}` is not an exercise; there are {', '.join(EXERCISES)}."
        raise click.BadParameter(message)
    return word


def parse_target(word: str) -> tuple[str, Path]:
    """Return the format and the file in `FORMAT:FILE`, or end with a sentence that lists the formats."""
    form, colon, file = word.partition(":")
    if form not in FORMATS or not colon or not file:
        message = f"`{word}` is not FORMAT:FILE; the formats are {', '.join(FORMATS)}, for instance json:out.json."
        raise click.BadParameter(message)
    return form, Path(file)


def course_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--course DIR`."""
    return click.option(
        "--course",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="Folder that holds solutions/ and assignments/ (default: the checkout, or what is installed).",
    )(command)


_SEED = click.option("--seed", type=click.IntRange(min=0), metavar="INT", help="Draw other inputs (needs a checkout).")

_ISOLATION = click.option(
    "--isolation",
    type=click.Choice(["full", "weak"]),
    help="Refuse less than full, or accept weak (default: the best).",
)
_CLASS_ISOLATION = click.option(
    "--isolation",
    type=click.Choice(["full", "weak"]),
    help="full (default with hidden inputs) refuses a system that cannot hide files; weak goes on all the same.",
)

_GRADING: tuple[Decorator, ...] = (
    click.option(
        "--exercise", type=parse_slug, multiple=True, metavar="SLUG", help="Grade this exercise only (repeatable)."
    ),
    click.option("--timeout", type=parse_seconds, metavar="SECONDS", help="Time for one call (default: 2)."),
    click.option(
        "--import-timeout", type=parse_seconds, metavar="SECONDS", help="Time to import a file (default: 10)."
    ),
    click.option("--total-timeout", type=parse_seconds, metavar="SECONDS", help="Time for all of it (default: 30)."),
    click.option(
        "--memory",
        type=click.IntRange(16, 1 << 20),
        metavar="MIB",
        help="Memory beyond the interpreter (default: 1024).",
    ),
    course_option,
)

_PRESENTING: tuple[Decorator, ...] = (
    click.option(
        "--hints", type=click.IntRange(0, 2), default=1, show_default=True, help="How much help a finding gives."
    ),
    click.option(
        "--format", type=click.Choice(list(FORMATS)), default="text", show_default=True, help="Form on stdout."
    ),
    click.option(
        "--output", type=parse_target, multiple=True, metavar="FORMAT:FILE", help="Write this form, too (repeatable)."
    ),
    click.option(
        "--report",
        type=click.Path(dir_okay=False, path_type=Path),
        default=Path("report.json"),
        show_default=True,
        metavar="FILE",
        help="Where the report goes.",
    ),
    click.option("--no-report", is_flag=True, help="Write no report."),
    click.option(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        show_default=True,
        help="Colour; NO_COLOR and FORCE_COLOR are respected.",
    ),
)

_EXIT_ZERO = click.option("--exit-zero", is_flag=True, help="End with 0 where points are missing (for CI services).")


def grading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add every option of grading one person's work; the command gets them as the fields of `Choices`."""
    return _add((_SEED, *_GRADING, _ISOLATION, *_PRESENTING, _EXIT_ZERO), command)


def class_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of grading that mean the same for a class: the fields of `GradingChoices` but the seed."""
    return _add((*_GRADING, _CLASS_ISOLATION, _EXIT_ZERO), command)


def _add(options: tuple[Decorator, ...], command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(options):
        command = option(command)
    return command
