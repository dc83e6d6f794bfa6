"""Scripts: encodings, and what does not parse."""

import pytest

from grader.submissions.parsing import UnreadableError, decode, parse
from grader.submissions.records import FunctionState

ANSWER = "def attention(Q, K, V):\n    return Q, 'é'\n"


def definition(read, content, name="attention", file="third_key.py"):
    return read({file: content}).definitions[name]


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + ANSWER.encode(),
        ANSWER.replace("\n", "\r\n").encode(),
        ANSWER.replace("\n", "\r").encode(),
        b"# -*- coding: latin-1 -*-\n" + ANSWER.encode("latin-1"),
        b"#!/usr/bin/env python\n# vim: set fileencoding=cp1252 :\n" + ANSWER.encode("cp1252"),
        b"\xef\xbb\xbf# coding: utf-8\n" + ANSWER.encode(),
        ANSWER.encode("utf-16"),
        b"\xff\xfe" + ANSWER.encode("utf-16-le"),
        ANSWER.encode("utf-16-be"),
        ANSWER.encode("utf-32"),
        (ANSWER + "# 🙂\n").encode(),
        b"x = 1\n# coding: no-such-codec\n" + ANSWER.encode(),
    ],
    ids=[
        "bom",
        "crlf",
        "cr",
        "latin-1",
        "cp1252",
        "bom+cookie",
        "utf-16",
        "utf-16-le",
        "be",
        "utf-32",
        "emoji",
        "late",
    ],
)
def test_every_readable_encoding_gives_the_same_program(read, content):
    submission = read({"third_key.py": content})
    assert submission.definitions["attention"].state is FunctionState.DEFINED
    space: dict[str, object] = {}
    exec(submission.program.units[0].cells[0].text, space)
    assert space["attention"](1, 2, 3) == (1, "é")  # type: ignore[operator]


def test_utf_16_is_noted(read):
    assert read({"third_key.py": ANSWER.encode("utf-16")}).notes == (
        "third_key.py is saved as UTF-16 and was read as such",
    )


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (ANSWER.encode("latin-1"), "third_key.py line 2: byte 0xe9 is not valid UTF-8; save the file as UTF-8"),
        (b"# coding: ascii\n" + ANSWER.encode("latin-1"), "third_key.py line 3: byte 0xe9 is not valid ASCII"),
        (b"# coding: klingon\n" + ANSWER.encode(), "third_key.py names an unknown encoding, klingon"),
        (b"# coding: rot13\n" + ANSWER.encode(), "third_key.py names an unknown encoding, rot13"),
        (b"# coding: unicode_escape\n" + ANSWER.encode(), "names an unknown encoding, unicode_escape"),
        (ANSWER.encode() + b"\0", "third_key.py"),
        (b"\0" * 512, "third_key.py holds nothing but NUL bytes"),
        (b"\x1f\x8b\x08\x00abc", "third_key.py is a gzip archive"),
        (b"PK\x03\x04abc", "third_key.py is a zip archive"),
        (b"version https://git-lfs.github.com/spec/v1\n", "third_key.py is a Git LFS pointer"),
        ("def attention(Q, K, V)\n    return Q\n", "third_key.py line 1: SyntaxError: expected ':'"),
        ("def attention(Q, K, V):\nreturn Q\n", "third_key.py line 2: IndentationError: expected an indented block"),
        ("def attention(Q):\n\treturn Q\n        x\n", "third_key.py line 3: "),
        (
            "def attention(Q):\n\xa0   return Q\n",
            "line 2: SyntaxError: column 1 holds the character U+00A0 (no-break space)",
        ),
        ("def attention(Q):\n    return “Q”\n", "column 12 holds the character U+201C (left double quotation mark)"),
        ("<<<<<<< HEAD\n" + ANSWER + "=======\n>>>>>>> x\n", "third_key.py line 1: unresolved merge conflict"),
        ("def attention(Q): return " + "(" * 900 + ")" * 900, "third_key.py line 1: SyntaxError: too many nested"),
        ("def attention(Q): return " + "-" * 50000 + "1", "third_key.py: the code is nested too deeply"),
        ("def attention(Q): return " + "9" * 5000, "third_key.py line 1: SyntaxError: Exceeds the limit"),
    ],
)
def test_an_unreadable_script_is_one_sentence_on_the_names_in_it(read, content, cause):
    found = definition(read, content)
    assert found.state is FunctionState.UNREADABLE
    assert cause in found.cause
    assert "\n" not in found.cause


def test_a_broken_script_hides_only_the_names_that_are_in_it(read):
    submission = read({"answers.py": "def attention(Q):\n    return (Q\n\ndef add_key(K):\n    pass\n"})
    states = {name: d.state for name, d in submission.definitions.items()}
    assert states["attention"] is states["add_key"] is FunctionState.UNREADABLE
    assert states["softmax"] is FunctionState.MISSING
    assert submission.definitions["attention"].line == 2


def test_a_broken_script_without_any_name_stands_for_its_exercise(read):
    submission = read({"doe_12_multi_head-1.py": "this is my answer\n", "third_key.py": ANSWER})
    assert submission.definitions["split_heads"].state is FunctionState.UNREADABLE
    assert submission.definitions["CHAIN"].state is FunctionState.MISSING
    assert submission.definitions["attention"].state is FunctionState.DEFINED


def test_a_broken_script_is_as_good_as_absent_for_those_that_import_it(read):
    submission = read(
        {"third_key.py": "def attention(:\n", "multi_head.py": "from third_key import attention\nEXPLANATION = 'x'\n"}
    )
    assert "third_key" in submission.program.absent
    assert [unit.module for unit in submission.program.units] == ["multi_head"]


def test_a_script_with_notebook_syntax_is_read_without_it(read):
    submission = read({"third_key.py": "%matplotlib inline\n!pip install numpy\n" + ANSWER})
    assert submission.definitions["attention"].state is FunctionState.DEFINED
    assert submission.definitions["attention"].line == 3
    assert submission.notes == ("third_key.py holds notebook syntax, which was not run",)


def test_a_notebook_with_a_scripts_name_is_read_as_a_notebook(read, notebook):
    submission = read({"third_key.py": notebook(ANSWER)})
    assert submission.definitions["attention"].cell == 1
    assert submission.program.units[0].notebook


def test_a_script_with_a_notebooks_name_is_read_as_a_script(read):
    submission = read({"third_key.ipynb": ANSWER})
    assert submission.definitions["attention"].state is FunctionState.DEFINED
    assert not submission.program.units[0].notebook
    assert submission.notes == ("third_key.ipynb is a script with a notebook's name, and was read as a script",)


def test_invalid_escapes_are_the_students_business():
    assert parse("x = '\\d'\n").body


@pytest.mark.parametrize("raw", [b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\n", b"#"])
def test_tiny_files_decode(raw):
    assert decode(raw, cookie=True)[0] in {"", "\n", "#"}


def test_text_over_the_limit_is_not_parsed():
    with pytest.raises(UnreadableError, match="the limit is 4194304"):
        parse("x = 1\n" * 700_000)


def test_files_after_too_much_code_are_not_read(read):
    files = {f"a{i}.py": f"x = '{'a' * 4_000_000}'\n" for i in range(2)}
    files["zz.py"] = f"y = '{'a' * 4_100_000}'\ndef softmax(x): return x\n"
    submission = read({"00.py": ANSWER, **files})
    assert submission.definitions["attention"].state is FunctionState.DEFINED
    assert submission.definitions["softmax"].state is FunctionState.UNREADABLE
    assert submission.definitions["softmax"].cause == (
        "zz.py was not read: the files hold more than 8388608 characters of code"
    )
    assert "zz.py" not in {unit.file for unit in submission.program.units}
