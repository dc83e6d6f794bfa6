"""The committed student files: in step with the solutions, empty where they should be, usable as they are."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from grader.authoring import check_stubs, generate_stubs, write_stubs
from grader.exercises import EXERCISES

STEMS = tuple(EXERCISES)
PRINT_ALL = """
import sys
from pathlib import Path
from grader.authoring import generate_stubs
for content in generate_stubs(Path(sys.argv[1]), {asked!r}).values():
    sys.stdout.buffer.write(content)
"""


def find_definitions(tree):
    """Name of each function and constant at module level, in order, with its node."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = node
        elif isinstance(node, ast.Assign):
            found[node.targets[0].id] = node
    return found


def is_unattempted(node):
    if isinstance(node, ast.Assign):
        return ast.literal_eval(node.value) in ([], "")
    return [ast.unparse(each) for each in node.body[1:]] == ["raise NotImplementedError"]


def run(path, *, cwd):
    command = [sys.executable, "-B", "-W", "error", str(path)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=60, check=False)


def test_committed_files_are_in_step_with_the_solutions(solutions, assignments, asked):
    assert check_stubs(solutions, assignments, asked) == ""


def test_another_interpreter_with_another_hash_seed_gives_the_same_bytes(solutions, asked):
    wanted = b"".join(generate_stubs(solutions, asked).values())
    for seed in ("1", "2"):
        command = [sys.executable, "-c", PRINT_ALL.format(asked=asked), str(solutions)]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        root = solutions.parent
        output = subprocess.run(command, cwd=root, env=environment, capture_output=True, timeout=60, check=True).stdout
        assert output == wanted


@pytest.mark.parametrize("stem", STEMS)
def test_each_name_asked_for_stands_in_order_and_is_unattempted(assignments, asked, stem):
    found = find_definitions(ast.parse((assignments / f"{stem}.py").read_text(encoding="utf-8")))
    assert [name for name in found if not name.startswith("EXAMPLE_")] == list(asked[stem])
    assert all(is_unattempted(found[name]) for name in asked[stem])


@pytest.mark.parametrize("stem", STEMS)
def test_signature_is_the_one_of_the_solution(solutions, assignments, asked, stem):
    stub = find_definitions(ast.parse((assignments / f"{stem}.py").read_text(encoding="utf-8")))
    sources = [(solutions / f"{name}.py").read_text(encoding="utf-8") for name in ("attention", stem)]
    solved = {name: node for source in sources for name, node in find_definitions(ast.parse(source)).items()}
    for name in asked[stem]:
        if isinstance(stub[name], ast.FunctionDef):
            assert ast.dump(stub[name].args) == ast.dump(solved[name].args)
            assert ast.get_docstring(solved[name]).startswith(ast.get_docstring(stub[name]))


def test_nothing_of_the_answers_is_left(assignments):
    for path in [*assignments.glob("*.py"), assignments / "attention.ipynb"]:
        text = path.read_text(encoding="utf-8")
        for leak in ("Notes", "References", "as_float", "__all__", "diag(", "sqrt", "np.outer", "vstack", "argmax"):
            assert leak not in text, (path.name, leak)


def test_words_of_the_chain_are_listed_shuffled_among_decoys(assignments):
    text = (assignments / "gradient_chain.py").read_text(encoding="utf-8")
    comment = text.partition("CHAIN = []")[0].rpartition("\n\n")[2]
    right = ["values matmul", "softmax Jacobian", "scale", "scores matmul"]
    places = [comment.index(f'"{word}"') for word in right]
    assert places not in (sorted(places), sorted(places, reverse=True))
    assert all(f'"{decoy}"' in comment for decoy in ("log-sum-exp", "layer norm", "ReLU", "cross-entropy"))


@pytest.mark.parametrize("stem", STEMS)
def test_untouched_stub_stops_at_the_first_missing_answer(assignments, stem):
    outcome = run(assignments / f"{stem}.py", cwd=assignments)
    assert outcome.returncode == 1
    assert outcome.stderr.endswith("NotImplementedError\n")


def fill(stub, solution_sources):
    """Write the reference answers into a stub, above its checks, as a student would."""
    answers = []
    for source in solution_sources:
        for node in ast.parse(source).body:
            match node:
                case ast.FunctionDef() | ast.Assign():
                    answers.append(ast.unparse(node))
    head, guard, checks = stub.partition('if __name__ == "__main__":')
    assert guard
    return "\n\n".join([head, *answers, guard + checks])


def test_checks_of_every_stub_hold_once_it_is_filled_in(solutions, assignments, tmp_path):
    direct = (solutions / "attention.py").read_text(encoding="utf-8")
    for stem in STEMS:
        stub = (assignments / f"{stem}.py").read_text(encoding="utf-8")
        answer = (solutions / f"{stem}.py").read_text(encoding="utf-8")
        filled = "import math\n".join(["", fill(stub, [direct, answer])])
        (tmp_path / f"{stem}.py").write_text(filled, encoding="utf-8")
    for stem in STEMS:
        outcome = run(Path(f"{stem}.py"), cwd=tmp_path)
        assert (outcome.returncode, outcome.stderr) == (0, "")
        assert outcome.stdout.startswith(f"{stem}: these checks hold")


def test_checks_find_a_missing_scale_and_a_forgotten_row_sum(solutions, assignments, tmp_path):
    """The checks a student runs without the grader are not decoration."""
    direct = (solutions / "attention.py").read_text(encoding="utf-8")
    stub = (assignments / "third_key.py").read_text(encoding="utf-8")
    answer = (solutions / "third_key.py").read_text(encoding="utf-8")
    wrong = direct.replace("np.sum(exponentials, axis=axis, keepdims=True)", "np.sum(exponentials)")
    assert wrong != direct
    (tmp_path / "third_key.py").write_text("import math\n" + fill(stub, [wrong, answer]), encoding="utf-8")
    outcome = run(Path("third_key.py"), cwd=tmp_path)
    assert outcome.returncode == 1
    assert "the rows of softmax sum to" in outcome.stderr


def test_notebook_is_valid_and_is_not_changed_by_saving(assignments):
    path = assignments / "attention.ipynb"
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert nbformat.writes(notebook) + "\n" == path.read_text(encoding="utf-8")


def test_notebook_holds_every_name_once_and_ids_are_distinct(cells, asked):
    source = "\n".join(source for _, kind, source in cells if kind == "code")
    found = [name for name in find_definitions(ast.parse(source)) if not name.startswith("EXAMPLE_")]
    assert found == [name for names in asked.values() for name in names]
    assert len({name for name, _, _ in cells}) == len(cells)
    assert not any(f"from {stem} import" in source for stem in STEMS)


def test_notebook_checks_hold_once_it_is_filled_in(cells, solutions, capsys):
    namespace = {"__name__": "__main__"}
    answers = {}
    for stem in ("attention", *STEMS):
        tree = ast.parse((solutions / f"{stem}.py").read_text(encoding="utf-8"))
        answers |= {name: ast.unparse(node) for name, node in find_definitions(tree).items()}
    for name, kind, source in cells:
        if kind == "code":
            exec(source, namespace)
        if name == "imports":
            exec(answers["as_float"], namespace)
        elif name.partition("-")[2] in answers:
            exec(answers[name.partition("-")[2]], namespace)
    assert capsys.readouterr().out.count("these checks hold") == len(STEMS)


def test_check_shows_a_diff_and_write_mends_it(solutions, tmp_path, asked):
    assert len(write_stubs(solutions, tmp_path, asked)) == len(asked) + 1
    assert write_stubs(solutions, tmp_path, asked) == []
    changed = tmp_path / "multi_head.py"
    changed.write_bytes(changed.read_bytes().replace(b"num_heads", b"heads"))
    (tmp_path / "third_key.py").unlink()
    diff = check_stubs(solutions, tmp_path, asked)
    assert "+++ assignments/multi_head.py (generated)" in diff
    assert "+def split_heads(X: np.ndarray, num_heads: int) -> np.ndarray:" in diff
    assert "+++ assignments/third_key.py (generated)" in diff
    assert "gradient_chain" not in diff
    assert write_stubs(solutions, tmp_path, asked) == [tmp_path / "third_key.py", changed]
    assert check_stubs(solutions, tmp_path, asked) == ""
