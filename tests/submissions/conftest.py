"""Builders for this room: the asked-for names, files on disk, notebooks as JSON."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.submissions import Asked, Submission, read_submission
from grader.submissions.sites import normal_forms

NAMES = {
    "third_key": "softmax attention add_key third_key dominant_key",
    "multi_head": "head_scale score_variance split_heads multi_head_attention EXPLANATION",
    "gradient_chain": "CHAIN softmax_jacobian grad_weights grad_scores grad_queries attention_grad_q"
    " numerical_gradient",
}
STEMS = {name: stem for stem, names in NAMES.items() for name in names.split()}
STUBS = normal_forms('def softmax(x, axis=-1):\n    """Scores."""\n    answer = None\n    return answer\n', STEMS)


@pytest.fixture(scope="session")
def asked() -> Asked:
    """Return the course's names; the shipped `softmax` is a stub that no rule but the comparison recognises."""
    return Asked(STEMS, STUBS)


@pytest.fixture(scope="session")
def notebook() -> Callable[..., str]:
    """Return a function that makes a notebook's JSON: a text is a code cell, a (kind, text) pair any cell."""

    def build(*cells: str | tuple[str, str], **changes: object) -> str:
        made = []
        for cell in cells:
            kind, source = ("code", cell) if isinstance(cell, str) else cell
            extra = {"outputs": [], "execution_count": None} if kind == "code" else {}
            made.append({"cell_type": kind, "metadata": {}, "source": source.splitlines(keepends=True)} | extra)
        return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 4} | changes)

    return build


@pytest.fixture
def read(tmp_path: Path, asked: Asked) -> Callable[..., Submission]:
    """Return a function that writes files into a folder `work` and reads it as one submission."""

    def build(files: dict[str, str | bytes]) -> Submission:
        for name, content in files.items():
            place = tmp_path / "work" / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_submission([tmp_path / "work"], asked)

    return build
