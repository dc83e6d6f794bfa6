"""The course as it is committed, and what it asks for."""

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ASKED = {
    "third_key": ("softmax", "attention", "add_key", "third_key", "dominant_key"),
    "multi_head": ("head_scale", "score_variance", "split_heads", "multi_head_attention", "EXPLANATION"),
    "gradient_chain": (
        "CHAIN",
        "attention_grad_q",
        "grad_queries",
        "grad_scores",
        "grad_weights",
        "numerical_gradient",
        "softmax_jacobian",
    ),
}


@pytest.fixture(scope="session")
def asked():
    return ASKED


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
