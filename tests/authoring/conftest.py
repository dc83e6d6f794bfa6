"""The course as it is committed, and what it asks for."""

import json
from pathlib import Path

import pytest

from grader.exercises import asked_names

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def asked():
    return asked_names()


@pytest.fixture(scope="session")
def solutions():
    return ROOT / "solutions"


@pytest.fixture(scope="session")
def assignments():
    return ROOT / "assignments"


@pytest.fixture(scope="session")
def cells(assignments):
    """The committed notebook's cells: (id, kind, source)."""
    notebook = json.loads((assignments / "attention.ipynb").read_text(encoding="utf-8"))
    return [(cell["id"], cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"]]
