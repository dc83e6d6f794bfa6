import io

import pytest

from grader.cli.terminal import speaks_unicode, text_width, wants_color


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("choice", "environment", "terminal", "colored"),
    [
        ("always", {"NO_COLOR": "1"}, False, True),
        ("never", {"FORCE_COLOR": "1"}, True, False),
        ("auto", {"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ("auto", {"NO_COLOR": ""}, True, True),
        ("auto", {"FORCE_COLOR": "1", "TERM": "dumb"}, False, True),
        ("auto", {"FORCE_COLOR": ""}, False, False),
        ("auto", {"TERM": "dumb"}, True, False),
        ("auto", {}, True, True),
        ("auto", {}, False, False),
    ],
)
def test_the_option_goes_before_no_color_before_force_color_before_the_terminal(choice, environment, terminal, colored):
    stream = Terminal() if terminal else io.StringIO()
    assert wants_color(choice, stream, environment) is colored


@pytest.mark.parametrize(
    ("encoding", "speaks"), [("utf-8", True), ("ascii", False), ("cp1252", False), ("no-such", False)]
)
def test_symbols_are_used_where_the_encoding_has_them(encoding, speaks):
    class Stream(io.StringIO):
        pass

    Stream.encoding = encoding
    assert speaks_unicode(Stream()) is speaks


def test_a_pipe_is_eighty_columns_wide_and_a_terminal_within_reason(monkeypatch):
    assert text_width(io.StringIO()) == 80
    for columns, width in (("20", 60), ("72", 72), ("300", 100)):
        monkeypatch.setenv("COLUMNS", columns)
        assert text_width(Terminal()) == width
