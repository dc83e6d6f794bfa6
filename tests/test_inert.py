"""Strings of others can be shown, and names can be read back whole."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.inert import printable, read_back, write_out


@given(st.text())
def test_a_name_that_was_written_out_comes_back_whole(name):
    assert read_back(write_out(name)) == name


@given(st.text())
def test_nothing_that_drives_a_terminal_or_hides_is_left(text):
    shown = printable(text)
    assert not {unicodedata.category(character) for character in shown} & {"Cc", "Cf", "Zl", "Zp", "Cs"}


@pytest.mark.parametrize("name", ["doe", "Müller, Jürgen", "李雷", "o'néill", "a b"])
def test_an_ordinary_name_stays_as_it_is(name):
    assert write_out(name) == name == printable(name)


@pytest.mark.parametrize("name", ["\x1b[2J", "gpj.\u202e.py", "zero\u200bwidth", "a\tb", "a\nb", "\ufeff", "C:\\new"])
def test_an_odd_name_is_written_out_and_read_back(name):
    assert write_out(name) != name
    assert read_back(write_out(name)) == name
