"""The reference solutions, imported as the flat folder that they are, without leaving a trace in this process."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

SOLUTIONS = Path(__file__).parents[2] / "solutions"
STEMS = ("attention", "blockwise", "third_key", "multi_head", "gradient_chain")


@pytest.fixture(scope="session")
def solutions() -> Iterator[dict[str, ModuleType]]:
    before = {stem: sys.modules.pop(stem, None) for stem in STEMS}
    sys.path.insert(0, str(SOLUTIONS))
    try:
        yield {stem: importlib.import_module(stem) for stem in STEMS}
    finally:
        sys.path.remove(str(SOLUTIONS))
        for stem in STEMS:
            sys.modules.pop(stem, None)
        sys.modules.update({stem: module for stem, module in before.items() if module is not None})


@pytest.fixture(scope="session")
def attention(solutions):
    return solutions["attention"].attention


@pytest.fixture(scope="session")
def softmax(solutions):
    return solutions["attention"].softmax


@pytest.fixture(scope="session")
def blockwise_attention(solutions):
    return solutions["blockwise"].blockwise_attention


@pytest.fixture(scope="session")
def multi_head(solutions):
    return solutions["multi_head"]


@pytest.fixture(scope="session")
def chain(solutions):
    return solutions["gradient_chain"]


@pytest.fixture(scope="session")
def page():
    """The page's example with its third key: Q, K, V."""
    return (
        np.array([[1.0, 0.0, 1.0, 0.0]]),
        np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0], [1.0, 0.0, 1.0, 0.0]]),
        np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]),
    )
