"""Files made from valid work by rules: whatever they are, reading them ends in a program, a note or a state."""

import json
import random
import time
from pathlib import Path

import pytest

from grader.sandbox.requests import pack_program
from grader.submissions import FunctionState
from grader.submissions.choice import choose
from grader.submissions.pace import Pace
from grader.submissions.program import assemble
from grader.submissions.reading import open_bytes, parse_opened
from grader.submissions.surveys import survey_files

ROOT = Path(__file__).parents[2]
STEMS = ("third_key", "multi_head", "gradient_chain")
SEEDS = [(ROOT / folder / f"{stem}.py").read_text("utf-8") for folder in ("solutions", "assignments") for stem in STEMS]
SEEDS += [
    "from third_key import attention\nCHAIN = ['scale']\n\ndef softmax(x, axis=-1):\n    return x\n",
    "class attention:\n    def __new__(cls, Q, K, V):\n        return Q\n\nsoftmax = lambda x: x\n",
]
LITERALS = [
    "9" * 4299, "9" * 5000, "0x" + "f" * 5000, "1e999", "-0.0", "1_0", "0b1", "1j", "b'\\xff'", "'\\N{DIGIT ONE}'",
    "'\\ud800'", "f'{1!r:>{2}}'", "f'{{}}'", "rb'\\d'", "'''a\nb'''", "'\\\n'", "...", "{**{}}", "[*[]]", "(yield)",
    "(x := 1)", "lambda: 0", "{1: 2 for _ in []}", "not None", "a if b else c", "a[1:2, ...]", "print", "*a", "",
]  # fmt: skip
LINES = [
    "from __future__ import annotations", "from . import x", "from .. import *", "import a.b as softmax", "global x",
    "exec('softmax = 1')", "globals()['CHAIN'] = 1", "%matplotlib inline", "!ls", "softmax?", "%%time", "In [1]:",
    ">>> x", "return 1", "yield", "await x", "async def softmax(): pass", "with a as softmax: pass", "del softmax",
    "try: pass\nexcept* E: pass", "match x:\n case softmax: pass", "softmax.x = 1", "CHAIN += ['a']", "CHAIN[0] = 1",
    "softmax = attention = CHAIN", "(softmax, [*CHAIN]) = x", "type X = int", "\f", "# \u202e",
    "def softmax[T](x: T): pass", "@a\n@b.c(1)", "class softmax(metaclass=M): pass", "if __name__ == '__main__':",
    "def softmax(x, /, *, axis=1, **k) -> None: ...", "x: int", "assert 0", "raise", "é = ª = 1", "\xa0x = 1", "“",
    "<<<<<<< HEAD", "softmax = softmax", "from third_key import softmax as softmax", "softmax = third_key.softmax",
]  # fmt: skip
COOKIES = [
    "latin-1",
    "utf-16",
    "utf-8",
    "klingon",
    "rot13",
    "ascii",
    "gbk",
    "shift_jis",
    "punycode",
    "idna",
    "utf-7",
    "hz",
]


def nest(text, chance):
    block = "".join(f"    {line}\n" if line.strip() else "\n" for line in text.split("\n"))
    opening = chance.choice(
        ["if x:", "def f():", "class A:", "try:", "with a:", "for i in x:", "while 0:", "async def f():", "else:"]
    )
    return f"{opening}\n{block}" + ("finally: pass\n" if opening == "try:" else "")


def repeat(text, chance):
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    end = min(at + chance.randint(1, 6), len(lines))
    return "\n".join(lines[:at] + lines[at:end] * chance.choice([2, 3, 30]) + lines[end:])


def put_literal(text, chance):
    at = chance.randrange(len(text) + 1)
    return f"{text[:at]}{chance.choice(LITERALS)}{text[at:]}"


def put_line(text, chance):
    lines = text.split("\n")
    at = chance.randrange(len(lines) + 1)
    indent = chance.choice(["", "", "    ", "\t"])
    new = [indent + line for line in chance.choice(LINES).split("\n")]
    return "\n".join([*lines[:at], *new, *lines[at:]])


def bracket(text, chance):
    depth = chance.choice([2, 50, 150, 250])
    opening, closing = chance.choice(["()", "[]", "{}", ("-", ""), ("not ", ""), ("lambda:", ""), ("a[", "]")])
    return f"{text}\nx = {opening * depth}1{closing * depth}\n"


def swap(text, chance):
    words = ["softmax", "attention", "def ", "return", "=", ":", "(", ")", "\n", "    ", "import", "'", '"""', "#"]
    old, new = chance.choice(words), chance.choice(words)
    count = chance.choice([1, 1, 5])
    return text.replace(old, new, count)


def cut(text, chance):
    at, end = sorted(chance.randrange(len(text) + 1) for _ in range(2))
    return text[:at] + text[end:] if chance.random() < 0.7 else text[at:end]


def decorate(text, chance):
    made = chance.choice(["@made", "@made(1)\n@a.b", "@(lambda f: f)", "@staticmethod"])
    return text.replace("\ndef ", f"\n{made}\ndef ", chance.choice([1, 100]))


def turn_into_class(text, chance):
    return text.replace(
        "def softmax(x", chance.choice(["class softmax(x", "class softmax(metaclass", "softmax = lambda (x"])
    )


RULES = [nest, repeat, put_literal, put_line, put_line, bracket, swap, cut, decorate, turn_into_class]


def encode(text, chance):
    kind = chance.random()
    if kind < 0.75:
        return text.encode("utf-8", "surrogatepass")
    cookie = chance.choice(COOKIES)
    if kind < 0.85:
        return f"# -*- coding: {cookie} -*-\n{text}".encode("utf-8", "surrogatepass")
    try:
        raw = f"# coding: {cookie}\n{text}".encode(cookie, "replace")
    except (LookupError, UnicodeError):
        raw = text.encode("utf-16", "surrogatepass")
    if chance.random() < 0.2:
        raw = raw[: len(raw) // 2] + bytes(chance.randrange(256) for _ in range(3)) + raw[len(raw) // 2 :]
    return raw.replace(b"\n", chance.choice([b"\n", b"\r\n", b"\r"]))


def make(seed: int) -> list[tuple[str, bytes, bool]]:
    """Return one or two files."""
    chance = random.Random(seed)
    files = []
    for _ in range(chance.choice([1, 1, 1, 2])):
        text = chance.choice(SEEDS)
        for _ in range(chance.randint(1, 4)):
            text = chance.choice(RULES)(text, chance)[:40_000]
        if chance.random() < 0.3:
            size = max(len(text) // chance.randint(1, 12), 1)
            parts = [text[at : at + size] for at in range(0, len(text), size)] or [""]
            kinds = ["code", "code", "code", "markdown", "raw"]
            made = [{"cell_type": chance.choice(kinds), "source": part} for part in parts]
            files.append(("work.ipynb", json.dumps({"nbformat": 4, "cells": made}).encode(), True))
        else:
            name = chance.choice([*STEMS, "helper", "doe_1_third_key (1)", "numpy", "__init__"])
            files.append((f"{chance.choice(['', '', 'a/', 'b c/'])}{name}.py", encode(text, chance), False))
    return [(f"{number}/{name}", raw, notebook) for number, (name, raw, notebook) in enumerate(files)]


def read(files, asked):
    sources = parse_opened([open_bytes(name, raw, notebook=notebook) for name, raw, notebook in files], Pace())
    surveys = survey_files(sources, asked)
    definitions = choose(surveys, asked)
    program = assemble(surveys, definitions, asked).program
    return surveys, definitions, program


def check(files, asked):
    surveys, definitions, program = read(files, asked)
    assert list(definitions) == list(asked.stems)
    called = {name for name, d in definitions.items() if d.state in {FunctionState.DEFINED, FunctionState.POSSIBLE}}
    assert set(program.homes) == called
    assert set(program.homes.values()) <= set(program.run) <= {unit.module for unit in program.units}
    named = [name for unit in program.units for name in (unit.module, *unit.aliases)]
    assert len(named) == len(set(named))
    for definition in definitions.values():
        assert definition.cause or definition.state not in {FunctionState.UNREADABLE, FunctionState.CONFLICT}
    for sentence in [*(note for survey in surveys for note in survey.notes), *(d.cause for d in definitions.values())]:
        assert sentence.isprintable()
    pack_program(program)


@pytest.mark.parametrize("start", range(0, 400, 100))
def test_files_made_by_rules_are_read_or_explained(asked, start):
    for seed in range(start, start + 100):
        check(make(seed), asked)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(1_000, 21_000, 2_500))
def test_twenty_thousand_files_made_by_rules_are_read_or_explained(asked, start):
    began = time.process_time()
    for seed in range(start, start + 2_500):
        check(make(seed), asked)
        if time.process_time() - began > 30.0:  # of computing, on a machine that is very slow
            assert seed - start > 500
            break
