"""Strings that others wrote, shown so that they can do nothing, and read back."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.inert import printable, read_back, write_out

ACTS = {
    "\x1b[31m": r"\x1b[31m",
    "\x9b31m": r"\x9b31m",
    "\u202egnp.py": r"\u202egnp.py",
    "\u2066a\u2069": r"\u2066a\u2069",
    "a\u200bb": r"a\u200bb",
    "\ufeffa": r"\ufeffa",
    "a\u2028b": r"a\u2028b",
    "a\nb\rc\td": r"a\nb\rc\td",
    "\udcff": r"\udcff",
    "\U000e0041": r"\U000e0041",
    "\xa0": r"\xa0",
    "a\u3164b": r"a\u3164b",
    "a\ufe0fb": r"a\ufe0fb",
    "\u061c": r"\u061c",
    "\ue000": r"\ue000",
}


@pytest.mark.parametrize("text", ACTS)
def test_what_acts_or_cannot_be_seen_is_written_out(text):
    assert printable(text) == ACTS[text]


@pytest.mark.parametrize("text", ["third_key.py", "Zoë Müller", "作业1", "🙂", "a b", "x\\y", "Ελένη", "नमस्ते"])
def test_what_can_be_read_stays_as_it_is(text):
    assert printable(text) == text


@given(st.text(st.characters()))
def test_a_name_comes_back_whole(name):
    shown = write_out(name)
    assert read_back(shown) == name
    assert shown.isprintable()
    assert not {unicodedata.category(character) for character in shown} & {"Cc", "Cf", "Cs", "Zl", "Zp"}


def test_a_name_that_looks_like_an_escape_is_not_taken_for_one():
    assert write_out(r"a\nb") != write_out("a\nb")
    assert read_back(write_out(r"\u202e")) == r"\u202e"
