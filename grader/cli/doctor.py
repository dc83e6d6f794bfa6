"""`grade doctor`: what this machine has of all that grading needs."""

import platform
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import click

from grader import __version__
from grader.cli.options import course_option
from grader.cli.terminal import write_out
from grader.errors import GraderError

_LIBRARIES = ("numpy", "pydantic", "click", "nbformat", "rich")


@click.command("doctor")
@course_option
def command(course: Path | None) -> int:
    """Describe this machine: versions, sandbox, course folder and answer key. Ends with 3 where grading cannot work."""
    faults: list[str] = []
    lines = [
        f"grader     {__version__}",
        f"python     {platform.python_version()} on {sys.platform}, {platform.machine()}",
    ]
    lines += [f"{name:<10} {_version_of(name)}" for name in _LIBRARIES]
    for describe in (_describe_sandbox, lambda: _describe_course(course)):
        try:
            lines += describe()
        except GraderError as error:
            faults.append(str(error))
    lines += [f"fault      {fault}".replace("\n", "\n" + " " * 11) for fault in faults]
    lines += [] if faults else ["All that grading needs is here."]
    write_out("\n".join(lines) + "\n")
    return GraderError.exit_code if faults else 0


def _version_of(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def _describe_sandbox() -> list[str]:
    from grader.sandbox import open_engine

    with open_engine() as engine:
        return list(_isolation_lines(engine.isolation()))


def _isolation_lines(isolation: Mapping[str, Any]) -> Iterator[str]:
    yield f"engine     {isolation.get('engine', 'unknown')}"
    yield f"isolation  {isolation.get('level', 'unknown')}"
    for part, state in isolation.items():
        if part not in ("engine", "level"):
            yield f"  {part}: {_in_words(state)}"


def _in_words(state: Any) -> str:
    match state:
        case True:
            return "yes"
        case False:
            return "no"
        case None:
            return "unknown"
        case Mapping():
            return ", ".join(f"{name} {_in_words(value)}" for name, value in state.items()) or "none"
        case list() | tuple():
            return ", ".join(_in_words(value) for value in state) or "none"
        case _:
            return str(state)


def _describe_course(folder: Path | None) -> list[str]:
    from grader.course import find_course
    from grader.key.frozen import load_key

    course = find_course(folder)
    key = load_key(course.public_key)
    return [
        f"stubs      {course.stubs}",
        f"solutions  {course.solutions or 'none here: other seeds, `stubs` and `key` need --course DIR'}",
        f"key        {course.public_key}",
        f"           seed {key.seed}, digest {key.digest[:16]}",
    ]
