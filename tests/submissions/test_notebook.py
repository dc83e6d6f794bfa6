"""Notebooks: what is read although it is odd, and the sentence where nothing can be read."""

import json
import subprocess
import sys

import pytest

from grader.submissions.notebook import read_notebook
from grader.submissions.parsing import UnreadableError
from grader.submissions.records import FunctionState

ANSWER = "def attention(Q, K, V):\n    return Q\n"
CODE = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": [ANSWER]}


def as_bytes(**changes) -> bytes:
    return json.dumps({"cells": [CODE], "metadata": {}, "nbformat": 4, "nbformat_minor": 5} | changes).encode()


def cell(**changes) -> dict[str, object]:
    return CODE | changes


def without(*keys: str) -> dict[str, object]:
    return {key: value for key, value in CODE.items() if key not in keys}


GOOD = as_bytes()

# What nbformat refuses with a dozen kinds of exception, or takes without a word: here the answer is found each time.
READABLE = {
    "plain": (GOOD, ""),
    "bom": (b"\xef\xbb\xbf" + GOOD, ""),
    "trailing NULs": (GOOD + b"\0" * 100, ""),
    "utf-16": (GOOD.decode().encode("utf-16"), "is saved as UTF-16"),
    "utf-16-be": (GOOD.decode().encode("utf-16-be"), "is saved as UTF-16-BE"),
    "crlf": (json.dumps(json.loads(GOOD), indent=1).replace("\n", "\r\n").encode(), ""),
    "5000 digits": (GOOD[:-1] + b', "x": ' + b"9" * 5000 + b"}", ""),
    "NaN": (as_bytes(metadata={"x": float("nan"), "y": float("inf")}), ""),
    "no metadata": (json.dumps({"cells": [CODE], "nbformat": 4}).encode(), ""),
    "metadata null": (as_bytes(metadata=None), ""),
    "metadata a list": (as_bytes(metadata=[1]), ""),
    "language_info odd": (as_bytes(metadata={"language_info": 3}), ""),
    "no nbformat": (json.dumps({"cells": [CODE]}).encode(), "says nbformat 'None' and was read as version 4"),
    "nbformat text": (as_bytes(nbformat="4"), "says nbformat '4'"),
    "nbformat true": (as_bytes(nbformat=True), "says nbformat 'True'"),
    "nbformat 5": (as_bytes(nbformat=5), "says nbformat '5'"),
    "nbformat 99": (as_bytes(nbformat=99), "says nbformat '99'"),
    "nbformat 3 with cells": (as_bytes(nbformat=3), "says nbformat '3'"),
    "minor text": (as_bytes(nbformat_minor="5"), ""),
    "minor 99": (as_bytes(nbformat_minor=99), ""),
    "no outputs": (as_bytes(cells=[without("outputs", "execution_count")]), ""),
    "outputs null": (as_bytes(cells=[cell(outputs=None)]), ""),
    "unknown outputs": (as_bytes(cells=[cell(outputs=[{"output_type": "hologram"}])]), ""),
    "no cell metadata": (as_bytes(cells=[without("metadata")]), ""),
    "bad id": (as_bytes(cells=[cell(id="not a valid id !")]), ""),
    "duplicate ids": (as_bytes(cells=[cell(id="a"), cell(id="a", source="x = 1")]), ""),
    "extra keys": (as_bytes(cells=[cell(colour="blue")]), ""),
    "no cell type": (as_bytes(cells=[without("cell_type")]), ""),
    "source text": (as_bytes(cells=[cell(source=ANSWER)]), ""),
    "source with null": (as_bytes(cells=[cell(source=[None, ANSWER, 3])]), ""),
    "input": (as_bytes(cells=[without("source") | {"input": [ANSWER]}]), ""),
    "other source null": (as_bytes(cells=[cell(source=None), CODE]), ""),
    "other source a number": (as_bytes(cells=[cell(source=3), CODE]), "cell 1 has no readable source"),
    "other cell a text": (as_bytes(cells=["x", CODE]), "cell 1 is a string, not a cell, and was left out"),
    "other cell null": (as_bytes(cells=[None, CODE]), "cell 1 is null, not a cell, and was left out"),
    "other cell empty": (as_bytes(cells=[{}, CODE]), "cell 1 is of no known type and was left out"),
    "other type unknown": (as_bytes(cells=[cell(cell_type="poem"), CODE]), "cell 1 is of no known type"),
    "other type a list": (as_bytes(cells=[cell(cell_type=["code"]), CODE]), "cell 1 is of no known type"),
    "duplicate keys": (b'{"nbformat": 3, "worksheets": [], ' + GOOD[1:], ""),
    "lone surrogate": (as_bytes(cells=[cell(source="# \ud800\n" + ANSWER)]), "cell 1 holds half of a character"),
    "R": (as_bytes(metadata={"language_info": {"name": "R"}}), "says that its language is R"),
}

UNREADABLE = {
    "empty": (b"", "is empty"),
    "blank": (b" \n\n", "is empty"),
    "NULs": (b"\0" * 4096, "holds nothing but NUL bytes"),
    "html": (b"<!DOCTYPE html>\n<html></html>", "is a web page"),
    "gzip": (b"\x1f\x8b\x08\x00rest", "is a gzip archive"),
    "zip": (b"PK\x03\x04rest", "is a zip archive"),
    "pdf": (b"%PDF-1.7", "is a PDF document"),
    "lfs": (b"version https://git-lfs.github.com/spec/v1", "is a Git LFS pointer"),
    "latin-1": (
        as_bytes(cells=[cell(source="# ä")]).replace(b"\\u00e4", b"\xe4"),
        "line 1: byte 0xe4 is not valid UTF-8",
    ),
    "truncated": (GOOD[: len(GOOD) // 2], "is cut off: the file ends inside the notebook (line 1 column "),
    "almost whole": (GOOD[:-1], "is cut off"),
    "conflict": (GOOD.replace(b'"metadata"', b"\n<<<<<<< HEAD\n", 1), "has an unresolved merge conflict at line 2"),
    "conflict first": (b"<<<<<<< HEAD\n" + GOOD, "has an unresolved merge conflict at line 1"),
    "quote": (
        b'{"cells": [{"source": "print("hi")"}]}',
        "line 1 column 31 is not valid JSON (Expecting ',' delimiter)",
    ),
    "single quotes": (b"{'cells': []}", "line 1 column 2 is not valid JSON"),
    "list": (b"[]", "is not a notebook: it holds a list"),
    "text": (b'"x"', "it holds a string"),
    "number": (b"3", "it holds a number"),
    "null": (b"null", "it holds null"),
    "true": (b"true", "it holds true or false"),
    "object": (b"{}", "it has no list of cells"),
    "nothing but a version": (b'{"nbformat": 4}', "it has no list of cells"),
    "cells null": (as_bytes(cells=None), "it has no list of cells"),
    "cells object": (as_bytes(cells={}), "its cells are an object, not a list"),
    "cells text": (as_bytes(cells="none"), "its cells are a string, not a list"),
    "deep": (b'{"cells": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "is nested too deeply"),
    "version 3 without worksheets": (b'{"nbformat": 3, "metadata": {}}', "old version that cannot be upgraded"),
    "version 3 of nonsense": (b'{"nbformat": 3, "worksheets": 7, "metadata": {}}', "cannot be upgraded"),
    "version 1 of nonsense": (b'{"nbformat": 1}', "cannot be upgraded"),
}


@pytest.mark.parametrize("case", READABLE)
def test_an_odd_notebook_is_read(read, case):
    raw, note = READABLE[case]
    submission = read({"a.ipynb": raw})
    assert submission.definitions["attention"].state is FunctionState.DEFINED
    assert (note in "; ".join(submission.notes)) if note else submission.notes == ()


@pytest.mark.parametrize("case", UNREADABLE)
def test_what_is_no_notebook_gets_one_sentence(read, case):
    raw, sentence = UNREADABLE[case]
    found = read({"a.ipynb": raw}).definitions["attention"]
    assert found.state is FunctionState.UNREADABLE
    assert found.cause.startswith("a.ipynb ")
    assert sentence in found.cause
    assert "\n" not in found.cause
    assert len(found.cause) < 400


def test_2000_levels_of_nesting_are_read_or_explained(read):
    raw = as_bytes(metadata={"x": 0}).replace(b"0", b"[" * 2000 + b"]" * 2000, 1)
    assert read({"a.ipynb": raw}).definitions["attention"].state in {FunctionState.DEFINED, FunctionState.UNREADABLE}


ODD_SHEETS = [
    [{"cells": [{"cell_type": "code", "input": ANSWER, "outputs": [{"output_type": "hologram"}, None, 3]}]}],
    [{"cells": [{"cell_type": "code", "input": ANSWER, "outputs": "none", "prompt_number": []}]}],
    [{"cells": [{"cell_type": "code", "input": ANSWER.splitlines(keepends=True)}]}],
    [{"cells": [{"cell_type": "code", "input": ANSWER.splitlines()}]}],
    [{"cells": [{"cell_type": "code", "input": [None, *ANSWER.splitlines(keepends=True), 3]}]}],
    [None, {}, {"cells": 3}, {"cells": [None, {"cell_type": "code", "input": ANSWER}]}],
    [
        {"cells": [{"cell_type": "heading", "source": "One", "level": 1}]},
        {"cells": [{"cell_type": "code", "input": ANSWER}]},
    ],
    [
        {
            "cells": [
                {"cell_type": "plaintext", "source": "One"},
                {"cell_type": "code", "input": ANSWER, "metadata": None},
            ]
        }
    ],
]


@pytest.mark.parametrize("sheets", ODD_SHEETS)
@pytest.mark.parametrize("version", [2, 3])
def test_a_notebook_of_an_old_version_is_read_by_its_cells(read, version, sheets):
    found = read({"a.ipynb": json.dumps({"nbformat": version, "worksheets": sheets})}).definitions["attention"]
    assert found.state is FunctionState.DEFINED
    assert found.line == 1


@pytest.mark.parametrize("version", [1, 2, 3])
def test_old_versions_are_upgraded_in_memory(tmp_path, version):
    old = {"cell_type": "code", "language": "python", "input": ANSWER, "outputs": [], "collapsed": False}
    content: dict[str, object] = {"nbformat": version, "metadata": {"name": ""}}
    content |= {"cells": [old]} if version == 1 else {"worksheets": [{"cells": [old]}], "nbformat_minor": 0}
    cells = read_notebook(json.dumps(content).encode()).cells
    assert [(one.number, one.kind, one.source.strip()) for one in cells] == [(1, "code", ANSWER.strip())]


def test_cells_are_numbered_as_they_stand_in_the_file(read, notebook):
    found = read({"a.ipynb": notebook(("markdown", "# One"), ("raw", "two"), "x = 3", ANSWER)}).definitions["attention"]
    assert (found.cell, found.line) == (4, 1)


def test_nothing_is_written_back(read, tmp_path):
    raw = as_bytes(nbformat="4", cells=[without("outputs"), {}])
    read({"a.ipynb": raw})
    assert (tmp_path / "work" / "a.ipynb").read_bytes() == raw


def test_too_many_values_are_refused_before_they_are_parsed(monkeypatch):
    monkeypatch.setattr("grader.submissions.notebook.MAX_VALUES", 1000)
    with pytest.raises(UnreadableError, match="more than 1000 values"):
        read_notebook(as_bytes(metadata={"x": [[]] * 1000}))


def test_more_code_than_anybody_writes_is_not_parsed(read, notebook):
    submission = read({"a.ipynb": notebook(ANSWER, *["x = '" + "1" * 4_000_000 + "'"] * 3)})
    assert submission.definitions["attention"].state is FunctionState.DEFINED
    assert submission.notes == ("a.ipynb: cell 4 was not read: the files hold more than 8388608 characters of code",)


def test_a_notebook_with_a_thousand_broken_cells_has_few_notes(read, notebook):
    submission = read({"a.ipynb": notebook(ANSWER, *["x ="] * 1000)})
    assert submission.definitions["attention"].state is FunctionState.DEFINED
    assert len(submission.notes) == 21
    assert submission.notes[-1] == "a.ipynb: 980 further notes are left out"


PROBE = """
import sys
from pathlib import Path
from grader.submissions import Asked, read_submission
found = read_submission([Path(sys.argv[1])], Asked({"attention": "third_key"}))
assert found.definitions["attention"].state == "defined"
print(*sorted({"nbformat", "jsonschema", "numpy", "pydantic", "IPython", "difflib"} & set(sys.modules)))
"""


@pytest.mark.parametrize("name", ["a.ipynb", "third_key.py", "old.ipynb"])
def test_reading_imports_nothing_heavy(tmp_path, name):
    old = {"cell_type": "code", "language": "python", "input": ANSWER, "outputs": [], "collapsed": False}
    content = {
        "a.ipynb": GOOD,
        "third_key.py": ANSWER.encode(),
        "old.ipynb": json.dumps({"nbformat": 3, "metadata": {}, "worksheets": [{"cells": [old]}]}).encode(),
    }
    (tmp_path / name).write_bytes(content[name])
    done = subprocess.run(
        [sys.executable, "-c", PROBE, str(tmp_path / name)], capture_output=True, text=True, timeout=60, check=True
    )
    assert not done.stdout.strip()
