"""Which cell would have defined a name. The text of a student is only looked at, never parsed."""

import time

import pytest

from grader.sandbox.follower import _defines


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):",
        "  def f(x):",
        "x\n\n\tasync  def f():",
        "f = lambda x: x",
        "f: int = 3",
        "\n\n f=3",
        "x\r\ndef f():",
    ],
)
def test_a_definition_or_an_assignment_defines_a_name(text):
    assert _defines(text, "f")


@pytest.mark.parametrize("text", ["", "f(x)", "def fa(x):", "af = 3", "f == 3", "# def f", "x.f = 3", "print(f=3)"])
def test_anything_else_does_not(text):
    assert not _defines(text, "f")


def test_many_blank_lines_are_looked_through_once():
    began = time.perf_counter()
    assert not _defines("\n" * 100_000, "f")
    assert time.perf_counter() - began < 2  # from each line anew it would be minutes
