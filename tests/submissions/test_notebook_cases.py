"""The notebooks in `notebooks/`: each is read, or explained, as the table in its README says."""

from pathlib import Path

import pytest

from grader.submissions import read_submission
from grader.submissions.records import FunctionState

FOLDER = Path(__file__).parent / "notebooks"
# What is to be seen without running anything, for the files in which `attention` is not simply found.
EXCEPTIONS = {
    "23_syntax_error_in_answer": (FunctionState.UNREADABLE, "cell 1 line 2: SyntaxError: expected ':'"),
    "28_merge_conflict": (FunctionState.UNREADABLE, "has an unresolved merge conflict at line 22"),
    "30_broken_json": (FunctionState.UNREADABLE, "is not a notebook: line 1 column 53 is not valid JSON"),
    "34_nbsp_in_source": (FunctionState.UNREADABLE, "cell 1 line 5: SyntaxError: column 1 holds the character U+00A0"),
    "40_answer_in_markdown": (FunctionState.MISSING, "a markdown cell contains code that looks like it"),
    "43_not_implemented_stub": (FunctionState.UNTOUCHED, ""),
}
NOTES = {
    "13_cell_magic_bash": "cell 1 is %%bash and was not run",
    "18_redefined_later": "`attention` is defined in cell 1 and again, differently, in cell 2",
    "22_scratch_syntax_error": "cell 2 does not parse (line 1: SyntaxError: invalid syntax) and was not run",
}
FILES = sorted(FOLDER.glob("*.ipynb"))


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_notebook_is_read_as_its_readme_says(path, asked):
    submission = read_submission([path], asked)
    found = submission.definitions["attention"]
    state, cause = EXCEPTIONS.get(path.stem, (FunctionState.DEFINED, ""))
    assert found.state is state
    assert cause in found.cause
    assert bool(found.cause) == bool(cause)
    assert submission.path == path.name
    if path.stem in NOTES:
        assert NOTES[path.stem] in "; ".join(submission.notes)
    elif not cause:
        assert submission.notes == ()


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_every_cell_that_runs_is_python(path, asked):
    for unit in read_submission([path], asked).program.units:
        for cell in unit.cells:
            compile(cell.text, "cell", "exec", flags=0x2000)  # ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


def test_there_is_a_case_for_every_row_of_the_readme():
    rows = [
        line.split("|")[1].strip() for line in (FOLDER / "README.md").read_text().splitlines() if ".ipynb |" in line
    ]
    assert sorted(rows) == [path.name for path in FILES]


def test_checkpoints_and_copies_beside_the_work_are_seen_through(read):
    right = (FOLDER / "42_checkpoint_sibling.ipynb").read_bytes()
    files = {"attention.ipynb": right, ".ipynb_checkpoints/attention-checkpoint.ipynb": right.replace(b"K.T", b"K")}
    submission = read(files | {"attention (1).ipynb": right})
    assert submission.definitions["attention"].state is FunctionState.DEFINED
    assert submission.definitions["attention"].file == "attention (1).ipynb"
    assert len(submission.program.run) == 1


def test_all_of_them_together_are_one_conflict_and_no_exception(asked):
    submission = read_submission([FOLDER], asked)
    assert submission.definitions["attention"].state is FunctionState.CONFLICT
    assert submission.skipped == (("README.md", "not Python"),)
