"""The handout tells the truth: its numbers are what NumPy prints, its points are the points."""

import ast
import contextlib
import io
import re

import pytest

from builders import automatic_points, written_points

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


def read_points(handout):
    """Return the points of each name, from the tables of the exercises."""
    rows = re.findall(r"^\| `(\w+)(?:\([^`]*\))?` \| (\d+) \|", handout, re.MULTILINE)
    return {name: int(points) for name, points in rows}


def test_points_of_all_names_add_up_to_those_of_the_exercises(handout, asked):
    points = read_points(handout)
    assert set(points) == {name for names in asked.values() for name in names}
    totals = {stem: sum(points[name] for name in names) for stem, names in asked.items()}
    assert totals == {stem: automatic_points(stem) + written_points(stem) for stem in asked}
    assert sum(points.values()) - points["EXPLANATION"] == automatic_points()


def test_stubs_state_the_same_points(handout, assignments, asked):
    points = read_points(handout)
    for stem, names in asked.items():
        task = (assignments / f"{stem}.py").read_text(encoding="utf-8").partition('"""\n\n')[0]
        stated = dict(re.findall(r"`(\w+)` \((\d+) points\)", task))
        assert {name: int(value) for name, value in stated.items()} == {name: points[name] for name in names}


def test_rubric_adds_up_to_the_points_of_the_explanation(handout):
    rubric = handout.partition("The rubric:")[2].partition("## ")[0]
    assert sum(int(value) for value in re.findall(r"\| (\d) \|$", rubric, re.MULTILINE)) == 5


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


def test_names_and_points_are_those_of_the_exercises(handout, asked):
    from grader.exercises import EXERCISES

    points = read_points(handout)
    assert list(EXERCISES) == list(asked)
    for slug, exercise in EXERCISES.items():
        assert {function.name for function in exercise.functions} == set(asked[slug])
        for name in asked[slug]:
            assert sum(check.points for check in exercise.checks if check.function == name) == points[name]
