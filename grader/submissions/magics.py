r"""What only a notebook understands, taken out of a cell's text: magics, shell lines, help, pasted prompts.

The number of lines stays as it is, so that a line number of an error is the one that the student sees. A line magic
becomes ``pass``, with its indentation; ``x = !ls`` becomes ``x = []`` and ``x = %magic`` becomes ``x = None``. The
code behind ``%time`` is kept, because it runs in the notebook's namespace. Of a cell with a cell magic either the body
is kept (``%%time``, and ``%%writefile`` of a script) or nothing (``%%bash``). Text inside strings and brackets, and
continuation lines, are left alone.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

from grader.submissions.characters import normalise_lines
from grader.submissions.parsing import UnreadableError, parse

KEPT = frozenset({"time", "timeit", "capture", "prun", "debug", "memit", "writefile", "file"})
DROPPED = frozenset(
    {"!", "bash", "bigquery", "cmd", "cython", "html", "javascript", "js", "julia", "latex", "markdown"}
)
DROPPED |= {"perl", "powershell", "pypy", "python", "python2", "python3", "r", "ruby", "script", "sh", "shell", "sql"}
DROPPED |= {"svg", "sx", "system"}
STACKED = 4  # cell magics on top of each other; one further down is taken for a line magic
ESCAPES = tuple("%!?,;/")  # no Python statement begins with one of these
CELL_MAGIC = re.compile(r"%%([\w.!-]+)[ \t]*(.*)")
INDENT = re.compile(r"[ \t]*")
CLASSIC = (re.compile(r">>>(?: |$)"), re.compile(r"(?:>>>|\.\.\.)(?: |$)"))
IPYTHON = (re.compile(r"In \[\d+\]: "), re.compile(r"(?:In \[\d+\]: |[ \t]*\.{3,}: ?)"))
TIMED = re.compile(r"%time[ \t]+(?:--[\w-]+[ \t]+)*(.+)")
MODULE_FILE = re.compile(r"(?:-\w+[ \t]+)*[\"']?(?:[^\s\"']*[/\\])?(\w+)\.py[\"']?$")


class Stripped(NamedTuple):
    """A cell after its notebook syntax was taken out."""

    text: str
    dropped: str = ""  # the cell magic, e.g. "%%bash", where nothing of the cell is run
    module: str = ""  # "third_key" for a cell that began with `%%writefile third_key.py`


@dataclass
class _Scan:
    """Where a line ends: inside brackets, inside a string with three quotes, or after a backslash."""

    depth: int = 0
    quote: str = ""
    joined: bool = False

    @property
    def at_start(self) -> bool:
        """Return whether the next line begins a statement."""
        return not (self.depth or self.quote or self.joined)


def strip_magics(text: str) -> Stripped:
    """Take notebook syntax out of one cell. Never raises.

    Parameters
    ----------
    text : str
        The source of a code cell.

    Returns
    -------
    Stripped
        Text of as many lines, which may still not be valid Python.
    """
    lines = normalise_lines(text).split("\n")
    first = next((i for i, line in enumerate(lines) if line.strip()), len(lines))
    body = _strip_prompts(_dedent(lines[first:]))
    module = ""
    start = 0
    for _ in range(STACKED):
        match = CELL_MAGIC.match(body[start]) if start < len(body) else None
        if match is None:
            break
        name = match[1]
        if name.casefold() in DROPPED or (name not in KEPT and not _parses(_strip_lines(body[start + 1 :]))):
            return Stripped("\n" * (len(lines) - 1), dropped=f"%%{name}")
        if name in {"writefile", "file"}:
            target = MODULE_FILE.match(match[2].strip())
            if target is None:
                return Stripped("\n" * (len(lines) - 1), dropped=f"%%{name}")
            module = target[1]
        body[start] = ""
        start = next((i for i in range(start, len(body)) if body[i].strip()), len(body))
    return Stripped("\n".join(lines[:first] + _strip_lines(body)), module=module)


def _parses(lines: list[str]) -> bool:
    try:
        parse("\n".join(lines))
    except UnreadableError:
        return False
    return True


def _dedent(lines: list[str]) -> list[str]:
    indent = INDENT.match(lines[0])[0] if lines else ""  # type: ignore[index]
    return [line.removeprefix(indent) for line in lines]


def _strip_prompts(lines: list[str]) -> list[str]:
    for initial, prompt in (CLASSIC, IPYTHON):
        if (lines and initial.match(lines[0])) or (len(lines) > 1 and prompt.match(lines[1])):
            lines = [prompt.sub("", line, count=1) for line in lines]
    return lines


def _strip_lines(lines: list[str]) -> list[str]:
    plain: list[str] = []
    scan = _Scan()
    while len(plain) < len(lines):
        here = len(plain)
        line = lines[here]
        if scan.at_start and (replacement := _replace(line)) is not None:
            last = here
            while lines[last].endswith("\\") and last + 1 < len(lines):
                last += 1
            plain += [replacement] + [""] * (last - here)
        else:
            _advance(scan, line)
            plain.append(line)
    return plain


def _replace(line: str) -> str | None:
    """Return what stands for a line that begins a statement, or None where it is plain Python."""
    code = line.lstrip()
    indent = line[: len(line) - len(code)]
    if code.startswith(ESCAPES):
        timed = TIMED.fullmatch(code)
        return indent + (timed[1] if timed and _parses([timed[1]]) else "pass")
    if "!" not in code and "%" not in code and "?" not in code:
        return None
    scan = _Scan()
    equals, end = _advance(scan, line)
    if equals >= 0:
        target, value = line[: equals + 1], line[equals + 1 :].lstrip()
        if value.startswith("!"):
            return f"{target} []"
        if re.match(r"%[^\W\d]", value):
            timed = TIMED.fullmatch(value)
            return f"{target} {timed[1] if timed and _parses([timed[1]]) else None}"
    if scan.at_start and line[:end].rstrip().endswith("?"):
        return indent + "pass"
    return None


def _advance(scan: _Scan, line: str) -> tuple[int, int]:
    """Read one line on; give the place of its first plain `=` outside brackets, and where its code ends."""
    equals, i, scan.joined = -1, 0, False
    while i < len(line):
        character = line[i]
        if scan.quote:
            i = _skip_string(scan, line, i)
            continue
        if character == "#":
            return equals, i
        if character in "\"'":
            scan.quote = character * 3 if line.startswith(character * 3, i) else character
            i += len(scan.quote)
            continue
        if character in "([{":
            scan.depth += 1
        elif character in ")]}":
            scan.depth = max(scan.depth - 1, 0)
        elif character == "=" and equals < 0 and not scan.depth and _is_assignment(line, i):
            equals = i
        elif character == "\\" and i == len(line) - 1:
            scan.joined = True
        i += 1
    return equals, len(line)


def _skip_string(scan: _Scan, line: str, i: int) -> int:
    """Go on inside a string; one with single quotes ends with its line, unless a backslash joins the next."""
    while i < len(line):
        if line[i] == "\\":
            i += 2
        elif line.startswith(scan.quote, i):
            i += len(scan.quote)
            scan.quote = ""
            return i
        else:
            i += 1
    if len(scan.quote) == 1 and i == len(line):
        scan.quote = ""
    return i


def _is_assignment(line: str, i: int) -> bool:
    return line[i + 1 : i + 2] != "=" and line[i - 1 : i] not in tuple("=!<>:+-*/%&|^@~")
