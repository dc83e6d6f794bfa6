import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.feedback.plain import MARKS, measure, neutralise, wrap
from grader.report import Outcome


@pytest.mark.parametrize(
    "hostile",
    [
        "\x1b[2J",
        "\x1b]0;title\x07",
        "\x9b31m",
        "\u202eevil",
        "\u2066x\u2069",
        "\r",
        "\x00",
        "\u2028",
        "\ufeff",
        "\ud800",
        "\x08",
    ],
)
def test_characters_that_could_drive_a_terminal_are_written_out(hostile):
    shown = neutralise(f"before {hostile} after")
    assert all(character.isprintable() for character in shown)
    assert shown.startswith("before ")
    assert shown.endswith(" after")
    assert "\\" in shown


def test_newlines_stay_and_a_tab_becomes_four_spaces():
    assert neutralise("a\tb\r\nc\nd") == "a    b\nc\nd"


def test_accents_and_symbols_stay():
    assert neutralise("Zoë Müller – √d_k ≤ 3, 注意, 🙂") == "Zoë Müller – √d_k ≤ 3, 注意, 🙂"


def test_a_wide_character_takes_two_columns_and_an_accent_of_its_own_none():
    assert measure("注意") == 4
    assert measure("e\u0301") == 1


@given(st.text(max_size=300), st.integers(20, 100), st.sampled_from(["", "  - ", "  x failed: "]))
def test_no_line_is_wider_than_the_page(text, width, first):
    for line in wrap(text, width, first=first):
        assert measure(line) <= width
        assert all(character.isprintable() or unicodedata.category(character) == "Zs" for character in line)


@given(st.lists(st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=12), min_size=1))
def test_wrapping_loses_no_word(words):
    assert " ".join(wrap(" ".join(words), 40)).split() == words


def test_a_cut_text_says_so():
    lines = wrap("word " * 200, 40, most=3)
    assert len(lines) == 3
    assert lines[-1].endswith(" ...")


def test_indentation_inside_a_text_is_kept():
    assert wrap("def f(x):\n    return x", 40, first="  ") == ["  def f(x):", "      return x"]


def test_every_outcome_has_a_word():
    assert set(MARKS) == set(Outcome)
    assert len({mark.word for mark in MARKS.values()}) == len(Outcome)


def test_a_word_of_a_hundred_thousand_letters_is_cut_without_being_measured_over_and_over():
    lines = wrap("x" * 100_000 + " end", 80, first="  ", most=3)
    assert len(lines) == 3
    assert lines[-1].endswith("...")
    assert "".join(line.strip() for line in wrap("ab" * 500, 40)) == "ab" * 500
