"""The handout tells the truth: its numbers are what NumPy prints, its signatures those of the student files."""

import ast
import contextlib
import io
import re

import pytest

FENCES = re.compile(r"^```python\n(.*?)^```\n\n^```text\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def handout(assignments):
    return (assignments / "README.md").read_text(encoding="utf-8")


def test_every_snippet_prints_what_the_handout_shows(handout):
    snippets = FENCES.findall(handout)
    assert len(snippets) == handout.count("```python") == handout.count("```text") > 0
    namespace = {}
    for code, shown in snippets:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(code, namespace)
        assert printed.getvalue() == shown


def test_variance_demonstration_shows_the_numbers_of_numpy(handout):
    assert re.findall(r"q\.k = +(-?[\d.]+)", handout) == ["0.819", "-13.702", "24.012"]


def test_signatures_are_those_of_the_stubs(handout, assignments, asked):
    for stem in asked:
        for node in ast.parse((assignments / f"{stem}.py").read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                shown = re.search(rf"^\| `{node.name}\((.*?)\)`", handout, re.MULTILINE)
                assert shown is not None
                stated = ast.parse(f"def f({shown[1]}): pass").body[0].args
                assert [each.arg for each in stated.args] == [each.arg for each in node.args.args]
                assert ast.dump(ast.List(stated.defaults)) == ast.dump(ast.List(node.args.defaults))


def test_secret_answers_are_not_given_away(handout):
    for secret in ("0.274", "0.4518", "0.7259", "0.8022", "0.770", "0.104", "d_k / num_heads", "diag"):
        assert secret not in handout
    assert not re.search(r"values matmul|softmax Jacobian", handout)
