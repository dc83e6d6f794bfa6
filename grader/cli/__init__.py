"""The command line. One file a command: parse, one library call, print.

A new command is a file that defines `command` and a row in `COMMANDS`. The file is imported when the command is used,
so `grade --help` stays free of numpy and pydantic.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

DEFAULT = "grade"

COMMANDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        DEFAULT: ("grader.cli.grade", "Grade one person's work; the word may be left out."),
        "batch": ("grader.cli.batch", "Grade a class into a folder; run again to go on."),
        "exercises": ("grader.cli.exercises", "List the functions that are asked for, with points."),
        "explain": ("grader.cli.explain", "Explain a known mistake by its code."),
        "doctor": ("grader.cli.doctor", "Describe this machine, the sandbox and the answer key."),
        "schema": ("grader.cli.schema", "Print the JSON Schema of report.json."),
        "stubs": ("grader.cli.stubs", "Generate the student files from the solutions."),
        "key": ("grader.cli.key", "Freeze the answer key of the public seed."),
        "selfcheck": ("grader.cli.selfcheck", "Prove the grader by its own catalogue of mistakes."),
    }
)


def run(arguments: Sequence[str], begin: Callable[[], None] = lambda: None) -> int:
    """Run `begin`, then `grade ARGUMENTS...`, and return the exit code. No traceback leaves here."""
    from grader.cli.ending import settle
    from grader.cli.terminal import open_streams

    open_streams()
    return settle(lambda: _invoke(list(arguments), begin))


def _invoke(arguments: list[str], begin: Callable[[], None]) -> int:
    begin()
    from grader.cli.group import build_group

    group = build_group(COMMANDS, DEFAULT)
    code = group.main(args=arguments, prog_name="grade", standalone_mode=False)
    return code if isinstance(code, int) else 0
