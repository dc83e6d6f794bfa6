"""The group of commands: each is imported when it is used, and a default one takes paths."""

import difflib
import importlib
import os
from collections.abc import Iterable, Mapping
from typing import Any

import click

_HELP_FLAGS = ("-h", "--help")
_OWN_FLAGS = (*_HELP_FLAGS, "--version")

_INTRODUCTION = """Grade NumPy answers to the exercises on scaled dot-product attention.

\b
  grade assignments/            grade the work in a folder
  grade third_key.py            grade one file
  grade --hints 2 assignments/  say more about what is missing
"""

_EXIT_CODES = """\b
Exit codes: 0 full automatic marks, 1 points missing, 2 usage or unreadable input,
3 the grader or its sandbox failed, 4 exercise, key, stub or reference out of step,
5 nothing to grade, 130 interrupted.
"""


class DefaultGroup(click.Group):
    """A group in which a path or an option stands for the default command.

    A command wins over a folder of the same name (`./batch` is the folder). A word that is neither is an error.
    """

    def __init__(self, rows: Mapping[str, tuple[str, str]], default: str, **settings: Any) -> None:
        super().__init__(**settings)
        self.rows = rows
        self.default = default

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        """Return the names in the order of the registry."""
        return list(self.rows)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 (click's signature)
        """Import the command's file and return what it defines."""
        if cmd_name not in self.rows:
            return None
        module = importlib.import_module(self.rows[cmd_name][0])
        command: click.Command = module.command
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the default command's name first where the words do not begin with a command."""
        if args and self._begins_with_work(args[0]):
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def _begins_with_work(self, word: str) -> bool:
        if word in self.rows or word in _OWN_FLAGS:
            return False
        return word.startswith("-") or looks_like_path(word)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command, or end with the nearest one that exists."""
        if args[0] not in self.rows:
            ctx.fail(explain_unknown_word(args[0], self.rows))
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, then the options of the default command and of the group."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in self.rows.items()])
        default = self.get_command(ctx, self.default)
        parameters = [*(default.get_params(ctx) if default else ()), *self.get_params(ctx)]
        options = [parameter for parameter in parameters if isinstance(parameter, click.Option)]
        records = [record for option in options if (record := option.get_help_record(ctx)) is not None]
        with formatter.section("Options"):
            formatter.write_dl(list(dict(records).items()))  # both have -h: it is listed once


def build_group(rows: Mapping[str, tuple[str, str]], default: str) -> DefaultGroup:
    """Return the group `grade` over the registry `rows`: name to (module, summary)."""
    version = click.Option(
        ["--version"], is_flag=True, expose_value=False, is_eager=True, callback=_show_version, help="Show versions."
    )
    return DefaultGroup(
        rows,
        default,
        name="grade",
        help=_INTRODUCTION,
        epilog=_EXIT_CODES,
        params=[version],
        callback=_greet,
        invoke_without_command=True,
        subcommand_metavar="PATH... | COMMAND ...",
        options_metavar="[OPTIONS]",
        context_settings={"help_option_names": list(_HELP_FLAGS), "max_content_width": 100},
    )


def looks_like_path(word: str) -> bool:
    """Return whether `word` is, or is meant to be, the name of a file or folder."""
    return bool(word) and (os.path.exists(word) or any(mark in word for mark in "/\\.~"))  # noqa: PTH110 (as in `grade.find_path`)


def explain_unknown_word(word: str, commands: Iterable[str]) -> str:
    """Return one sentence on a word that is neither a path nor a command, with the nearest thing that is."""
    try:
        entries = os.listdir()  # noqa: PTH208 (names are compared, not paths)
    except OSError:
        entries = []
    meant = difflib.get_close_matches(word.strip("/\\"), [*commands, *entries], n=1)
    advice = f"Did you mean `{meant[0]}`?" if meant else "`grade --help` lists the commands."
    return f"`{word}` is neither a path nor a command. {advice}"


def _greet() -> None:
    ctx = click.get_current_context()
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def _show_version(ctx: click.Context, _parameter: click.Parameter, asked: bool) -> None:  # noqa: FBT001 (click's signature)
    if not asked or ctx.resilient_parsing:
        return
    import platform
    from importlib.metadata import version

    from grader import __version__

    click.echo(f"grade {__version__} (Python {platform.python_version()}, numpy {version('numpy')})")
    ctx.exit()
