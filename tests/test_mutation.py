"""Edits made by rule are what their names say, each one alone, and a source keeps the rest of its text."""

import ast

import pytest

from grader.selfcheck.mutants import read_equivalents
from grader.selfcheck.mutation import make_mutants

SUM = "z = np.sum(x, axis=0, keepdims=True)"


def edits_of(line, *, head="def f(x, y, axis=-1):"):
    """Return what a line in a function is turned into."""
    made = make_mutants(f"{head}\n    {line}\n    return x\n")
    return {mutant.after for mutant in made if mutant.before == ast.unparse(ast.parse(line.lstrip()))}


@pytest.mark.parametrize(
    ("line", "edits"),
    [
        ("z = x - y", {"z = x + y", "z = x", "z = y", "z = y - x", "z = x - x", "z = y - y"}),
        ("z = x @ y.T", {"z = x * y.T", "z = y.T @ x", "z = x @ y", "z = x", "z = y.T"}),
        (SUM, {"z = np.sum(x, keepdims=True)", "z = np.sum(x, axis=0)", "z = x"}),
        (SUM, {"z = np.sum(y, axis=0, keepdims=True)"}),
        (SUM, {"z = np.sum(x, axis=1, keepdims=True)", "z = np.mean(x, axis=0, keepdims=True)"}),
        (SUM, {"z = np.sum(x, axis=0, keepdims=False)"}),
        ("z = np.max(x, -1)", {"z = np.max(x, 1)", "z = np.max(x, -2)", "z = np.min(x, -1)", "z = np.max(-1, x)"}),
        ("z = x.shape[-1]", {"z = x.shape", "z = x.shape[1]", "z = x[-1]", "z = y.shape[-1]"}),
        ("z = x.copy()", {"z = x"}),
        ("z = 1e-05", {"z = 0.0", "z = 2e-05", "z = 1.00001"}),
        ("z = [x, y]", {"z = [y, x]", "z = [x]", "z = [y]"}),
        ("z = x if x < y else y", {"z = x", "z = y", "z = y if x < y else x", "z = x if x <= y else y"}),
        ("x += y", {"x -= y", "x = y", ""}),
    ],
)  # fmt: skip
def test_each_rule_is_applied(line, edits):
    assert edits <= edits_of(line)


def test_conditions_are_turned_round_and_statements_removed():
    made = make_mutants("def f(x):\n    if x and not y:\n        raise ValueError\n    return x\n")
    after = {mutant.after for mutant in made}
    assert {"if not (x and (not y)):", "if x or not y:", "if x:", "if not y:", "if x and y:", "pass", ""} <= after


def test_an_edit_changes_one_function_and_leaves_the_rest_of_the_source():
    head = '"""Text."""\n\n# a comment\nA = [1, 2]\n\n\ndef f(x):\n    """Return."""'
    text = f"{head}\n    return x + 1  # why\n\n\nB = 3\n"
    made = make_mutants(text)
    assert made
    for mutant in made:
        assert mutant.function == "f"
        assert mutant.text.startswith(head)
        assert mutant.text.endswith("\n\n\nB = 3\n")
        compile(mutant.text, "mutant", "exec")
    assert len({mutant.edit for mutant in made}) == len(made)
    assert {mutant.function for mutant in make_mutants(text, {"A"})} == {"A", "f"}


def test_docstrings_annotations_and_loop_targets_stay():
    text = 'def f(x: int = 3) -> int:\n    """Return 1."""\n    for i, k in x:\n        pass\n'
    assert {mutant.before for mutant in make_mutants(text)} == {
        "def f(x: int=3) -> int:",
        "for i, k in x:; pass",
    }


def test_every_reason_is_a_sentence_and_no_edit_is_listed_twice():
    listed = read_equivalents()
    assert len(listed) > 40
    assert all(reason[0].isupper() and reason.endswith(".") for reason in listed.values())
    assert all(" -> " in edit and ": " in edit for edit in listed)
