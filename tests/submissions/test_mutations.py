"""Damaged notebooks and scripts: whatever happens to the bytes, the answer is a program or one sentence."""

import copy
import json
import random
from pathlib import Path

import pytest

from grader.submissions.choice import choose
from grader.submissions.pace import Pace
from grader.submissions.program import assemble
from grader.submissions.reading import open_bytes, parse_opened
from grader.submissions.surveys import survey_files

FOLDER = Path(__file__).parent / "notebooks"
SEEDS = [path.read_bytes() for path in sorted(FOLDER.glob("*.ipynb"))]
ODD_VALUES = [
    None,
    True,
    0,
    -1,
    3,
    4,
    5,
    1e400,
    "",
    "4",
    "code",
    "\ud800",
    "%%time\n",
    [],
    [None],
    {},
    {"source": 3},
    [[[]]],
]
PIECES = [
    b"\0",
    b"\xff",
    b"\r",
    b'"',
    b"{",
    b"]",
    b"<<<<<<< HEAD\n",
    b"%%bash\\n",
    b"\xc2\xa0",
    b"\xef\xbb\xbf",
    b"null",
    b"9" * 30,
]


def mutate_bytes(raw: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.randint(1, 3)):
        at, end = sorted(chance.randint(0, len(raw)) for _ in range(2))
        kind = chance.randrange(5)
        if kind == 0:
            raw = raw[:at]
        elif kind == 1:
            raw = raw[:at] + chance.choice(PIECES) + raw[at:]
        elif kind == 2:
            raw = raw[:at] + raw[end:]
        elif kind == 3:
            raw = raw[:end] + raw[at:]
        elif raw:
            at = chance.randrange(len(raw))
            raw = raw[:at] + bytes([chance.randrange(256)]) + raw[at + 1 :]
    return raw


def mutate_tree(content: object, chance: random.Random) -> object:
    content = copy.deepcopy(content)
    for _ in range(chance.randint(1, 3)):
        holders = [content] if isinstance(content, dict | list) else []
        for holder in holders:
            below = holder.values() if isinstance(holder, dict) else holder
            holders += [value for value in below if isinstance(value, dict | list)]
        holder = chance.choice([holder for holder in holders if holder] or [{}])
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        if keys:
            key = chance.choice(keys)
            if chance.random() < 0.3:
                del holder[key]
            else:
                holder[key] = copy.deepcopy(chance.choice(ODD_VALUES))
    return content


def mutate(seed: int) -> bytes:
    chance = random.Random(seed)
    raw = chance.choice(SEEDS)
    if chance.random() < 0.5:
        return mutate_bytes(raw, chance)
    try:
        content = json.loads(raw.decode("utf-8-sig"))
    except ValueError:
        return mutate_bytes(raw, chance)
    return json.dumps(mutate_tree(content, chance)).encode()


def read_all(name: str, raw: bytes, asked, *, notebook: bool) -> None:
    surveys = survey_files(parse_opened([open_bytes(name, raw, notebook=notebook)], Pace()), asked)
    definitions = choose(surveys, asked)
    program = assemble(surveys, definitions, asked).program
    assert list(definitions) == list(asked.stems)
    assert set(program.homes.values()) == set(program.run)
    notes = [note for survey in surveys for note in (*survey.source.notes, *survey.notes)]
    for text in [*notes, *(definition.cause for definition in definitions.values())]:
        assert "\n" not in text
        text.encode()
    for unit in program.units:
        for cell in unit.cells:
            cell.text.encode()


@pytest.mark.parametrize("start", range(0, 600, 100))
def test_a_damaged_notebook_never_ends_in_a_traceback(asked, start):
    for seed in range(start, start + 100):
        read_all("a.ipynb", mutate(seed), asked, notebook=True)


@pytest.mark.parametrize("start", range(0, 300, 100))
def test_a_damaged_script_never_ends_in_a_traceback(asked, start):
    script = b"# coding: utf-8\nimport numpy as np\n\ndef softmax(x):\n    '''Doc.'''\n    return x\n\nCHAIN = [1]\n"
    for seed in range(start, start + 100):
        read_all("third_key.py", mutate_bytes(script, random.Random(seed)), asked, notebook=False)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(1_000, 101_000, 10_000))
def test_a_hundred_thousand_damaged_notebooks_never_end_in_a_traceback(asked, start):
    for seed in range(start, start + 10_000):
        read_all("a.ipynb", mutate(seed), asked, notebook=True)
