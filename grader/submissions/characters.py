"""Strings that others wrote, made fit to be parsed, and fit to stand in a sentence."""

from grader.inert import printable

TOLD = 400  # characters of a cause or note


def normalise_lines(text: str) -> str:
    """Write every line end as a line feed, as Python itself does when it reads a file."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def replace_surrogates(text: str) -> str:
    """Replace halves of a surrogate pair, which no encoding can write."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def one_line(text: str) -> str:
    """Make foreign text fit for a sentence: printable, on one line, not endless."""
    return printable(text[:TOLD]).encode("utf-8", "replace").decode()


def line_of(text: str, position: int) -> int:
    """Return the number of the line, from 1, that a position in a string is in."""
    return text.count("\n", 0, position) + 1
