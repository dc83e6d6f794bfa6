"""Which definition counts, over several files, cells and ways to hand work in."""

import pytest

from grader.errors import NothingToGradeError
from grader.submissions.records import FunctionState

STUB = "def attention(Q, K, V):\n    '''Doc.'''\n    raise NotImplementedError\n"
RIGHT = "def attention(Q, K, V):\n    return Q, K\n"
OTHER = "import numpy as np\n\ndef attention(Q, K, V):\n    return K, Q\n"


def place(submission, name="attention"):
    found = submission.definitions[name]
    return found.state, found.file, found.cell, found.line


@pytest.mark.parametrize(
    "name",
    [
        "third_key.py", "Third_Key.py", "THIRD_KEY.PY", "doe_1_2_third_key-1.py", "third_key (1).py", "my answer.py",
        "src/deep/er/work.py", "Müller, Zoë/hw 1 (final).py", "🙂.py", "class.py", "123.py", "a-b.py", "random.py",
    ],
)  # fmt: skip
def test_work_is_found_by_the_functions_name_wherever_it_is(read, name):
    submission = read({name: RIGHT})
    assert place(submission) == (FunctionState.DEFINED, name, None, 1)
    module = submission.program.homes["attention"]
    assert submission.program.run == (module,)
    unit = submission.program.units[0]
    assert "third_key" in (unit.module, *unit.aliases)
    assert submission.program.absent == ("multi_head", "gradient_chain")


def test_a_stub_never_competes(read, notebook):
    submission = read({"third_key.py": STUB, "attention.ipynb": notebook("import numpy as np", OTHER)})
    assert place(submission) == (FunctionState.DEFINED, "attention.ipynb", 2, 3)
    submission = read({"third_key.py": RIGHT, "attention.ipynb": notebook(STUB)})
    assert place(submission) == (FunctionState.DEFINED, "third_key.py", None, 1)


def test_two_different_answers_in_two_files_are_a_conflict_that_names_both(read, notebook):
    submission = read({"third_key.py": OTHER, "attention.ipynb": notebook(("markdown", "x"), RIGHT)})
    assert place(submission) == (FunctionState.CONFLICT, "third_key.py", None, 3)
    assert submission.definitions["attention"].cause == (
        "`attention` is defined in third_key.py line 3 and differently in attention.ipynb cell 2 line 1; "
        "keep one of them"
    )
    assert "attention" not in submission.program.homes


def test_a_conflict_over_one_name_leaves_the_others_alone(read):
    submission = read({"a.py": RIGHT + "def softmax(x): return x\n", "b.py": OTHER})
    assert submission.definitions["attention"].state is FunctionState.CONFLICT
    assert place(submission, "softmax") == (FunctionState.DEFINED, "a.py", None, 3)


def test_identical_copies_are_no_conflict_and_the_canonical_file_is_taken(read):
    copy = "def attention(Q, K, V):\n    '''Mine.'''\n\n    return (Q, K)  # the same\n"
    submission = read({"a.py": copy, "old/third_key.py": copy, "third_key (1).py": RIGHT})
    assert place(submission) == (FunctionState.DEFINED, "old/third_key.py", None, 1)
    assert place(read({"old/third_key.py": STUB})) == (FunctionState.DEFINED, "a.py", None, 1)


def test_the_last_definition_in_a_script_wins_without_a_word(read):
    submission = read({"third_key.py": RIGHT + OTHER})
    assert place(submission) == (FunctionState.DEFINED, "third_key.py", None, 5)
    assert submission.notes == ()


def test_the_last_cell_wins_and_the_note_names_the_earlier_one(read, notebook):
    submission = read({"a.ipynb": notebook(RIGHT, "x = 1", OTHER)})
    assert place(submission) == (FunctionState.DEFINED, "a.ipynb", 3, 3)
    assert submission.notes == (
        "a.ipynb: `attention` is defined in cell 1 and again, differently, in cell 3; the last one, in cell 3, counts",
    )


def test_a_copied_cell_is_no_second_answer(read, notebook):
    assert read({"a.ipynb": notebook(RIGHT, RIGHT)}).notes == ()


def test_a_stub_below_the_answer_does_not_replace_it(read, notebook):
    stub = "x = 1\n@wrapped\n" + STUB + "y = 2\nCHAIN = []; z = 3\n"
    submission = read({"a.ipynb": notebook(RIGHT + "CHAIN = ['scale']\n", stub)})
    assert place(submission) == (FunctionState.DEFINED, "a.ipynb", 1, 1)
    text = submission.program.units[0].cells[1].text
    assert text == "x = 1\npass\n\n\n\ny = 2\nCHAIN = []; z = 3\n"


def test_one_notebook_and_one_script_make_one_submission(read, notebook):
    submission = read({"multi_head.py": "def head_scale(d, h): return 1\n", "a.ipynb": notebook(RIGHT)})
    assert submission.program.homes == {"attention": "a", "head_scale": "multi_head"}
    assert submission.program.run == ("a", "multi_head")


def test_functions_may_be_split_over_cells_and_files(read, notebook):
    files = {"one.py": RIGHT, "two/x.py": "def softmax(x): return x\n"}
    files["three.ipynb"] = notebook("def add_key(K): return K", ("markdown", "x"), "def third_key(): return 1")
    submission = read(files)
    states = [submission.definitions[name].state for name in ("softmax", "attention", "add_key", "third_key")]
    assert states == [FunctionState.DEFINED] * 4
    assert submission.definitions["third_key"].cell == 3


def test_an_unfinished_cell_does_not_take_an_earlier_answer_away(read, notebook):
    submission = read({"a.ipynb": notebook(RIGHT, "def attention(Q K):\n    pass", "np.eye(")})
    assert place(submission) == (FunctionState.DEFINED, "a.ipynb", 1, 1)
    assert [cell.number for cell in submission.program.units[0].cells] == [1]
    assert submission.notes[1] == (
        "a.ipynb: cell 3 does not parse (line 1: SyntaxError: '(' was never closed) and was not run"
    )


def test_a_stub_elsewhere_does_not_hide_a_syntax_error(read, notebook):
    submission = read({"third_key.py": STUB, "a.ipynb": notebook("x = 1", "\ndef attention(Q, K, V)\n    return Q")})
    assert place(submission) == (FunctionState.UNREADABLE, "a.ipynb", 2, 2)
    assert submission.definitions["attention"].cause == "a.ipynb cell 2 line 2: SyntaxError: expected ':'"


def test_an_answer_elsewhere_outweighs_an_unreadable_file(read):
    submission = read({"third_key.py": RIGHT, "copy.ipynb": '{"cells": ["def attention(Q):\\n" "x"'})
    assert place(submission) == (FunctionState.DEFINED, "third_key.py", None, 1)
    assert any("copy.ipynb is not a notebook" in note for note in submission.notes)


def test_an_unreadable_file_without_names_explains_what_is_found_nowhere(read):
    submission = read({"third_key.py": RIGHT + "def softmax(x): pass\n", "work.ipynb": ""})
    assert submission.definitions["attention"].state is FunctionState.DEFINED
    assert submission.definitions["softmax"].state is FunctionState.UNTOUCHED
    assert submission.definitions["head_scale"].cause == "work.ipynb is empty"


@pytest.mark.parametrize(
    ("files", "cause"),
    [
        ({"a.ipynb": [("markdown", f"```python\n{RIGHT}```")]}, "a markdown cell contains code that looks like it"),
        ({"a.ipynb": ["x = 1", ("raw", RIGHT)]}, "a raw cell contains code that looks like it (a.ipynb cell 2)"),
        ({"a.ipynb": ["%%script false\n" + RIGHT]}, "a %%script cell contains code that looks like it (a"),
        ({"a.py": "def Attention(Q): return Q\n"}, "`attention` is not defined; a.py line 1 defines `Attention`"),
        ({"a.py": "x = 1\nclass Attention:\n    pass\n"}, "a.py line 2 defines `Attention`"),
        ({"a.py": "class A:\n    def attention(self): pass\n"}, "the one in a.py line 2 is inside a class"),
        ({"a.py": "if __name__ == '__main__':\n    attention = 1\n    def attention(): return 1\n"}, "inside a class"),
    ],
)  # fmt: skip
def test_a_missing_name_is_explained_where_something_looks_like_it(read, notebook, files, cause):
    built = {name: content if isinstance(content, str) else notebook(*content) for name, content in files.items()}
    found = read(built).definitions["attention"]
    assert found.state is FunctionState.MISSING
    assert cause in found.cause


def test_a_constant_in_another_spelling_is_pointed_out(read):
    found = read({"a.py": RIGHT + "chain = ['scale']\n"}).definitions["CHAIN"]
    assert found.cause == "`CHAIN` is not defined; a.py line 3 defines `chain`"


def test_a_name_that_is_simply_not_there_has_no_cause(read):
    assert read({"a.py": RIGHT}).definitions["softmax"].cause == ""


def test_files_without_any_asked_for_name_are_nothing_to_grade(read):
    with pytest.raises(
        NothingToGradeError, match=r"work has none of the functions .*`softmax`.* looked at a\.py, b\.py"
    ):
        read({"a.py": "x = 1\n", "b.py": ""})


def test_every_file_that_was_read_is_listed_with_its_hash(read):
    submission = read({"a.py": RIGHT, "b.py": "", "notes.txt": "x"})
    assert [file.name for file in submission.files] == ["a.py", "b.py"]
    assert submission.files[1].sha256 == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert submission.notes == ("notes.txt was skipped: not Python",)
    assert submission.skipped == (("notes.txt", "not Python"),)
    assert submission.path == "work"


def test_a_private_helper_in_another_exercise_file_does_not_compete(read):
    own = "def softmax(x): return x / 2\ndef multi_head_attention(Q, K, V, num_heads): return softmax(Q)\n"
    submission = read({"third_key.py": RIGHT + "def softmax(x): return x\n", "multi_head.py": own})
    assert place(submission, "softmax") == (FunctionState.DEFINED, "third_key.py", None, 3)


def test_a_module_that_the_answer_imports_does_not_compete(read):
    wrapped = "import stable\ndef softmax(x, axis=-1): return stable.softmax(x)\n"
    submission = read({"third_key.py": wrapped, "stable.py": "def softmax(x): return x\n"})
    assert place(submission, "softmax") == (FunctionState.DEFINED, "third_key.py", None, 2)


def test_a_second_version_beside_the_answer_still_competes(read):
    submission = read({"third_key.py": RIGHT, "third_key_old_idea.py": OTHER})
    assert submission.definitions["attention"].state is FunctionState.CONFLICT


# what was not read, or does not parse, says so at each function that is therefore missing


def test_every_name_that_an_unreadable_file_may_hold_says_so(read, notebook):
    cut = notebook("def attention(Q, K, V):\n    return Q, K\n", "x = 1")[:-20]
    submission = read({"third_key.py": "def softmax(x):\n    return x\n", "work.ipynb": cut})
    states = {name: definition.state for name, definition in submission.definitions.items()}
    assert states.pop("softmax") is FunctionState.DEFINED
    assert set(states.values()) == {FunctionState.UNREADABLE}  # `attention` is seen in what is left, the others are not
    causes = {d.cause for name, d in submission.definitions.items() if name != "softmax"}
    assert len(causes) == 1
    assert "work.ipynb is cut off" in causes.pop()


def test_a_cell_that_does_not_parse_is_told_at_each_name_that_is_found_nowhere(read, notebook):
    submission = read({"work.ipynb": notebook(RIGHT, "x = (", "y = [")})
    found = submission.definitions["softmax"]
    assert found.state is FunctionState.MISSING
    assert found.cause == (
        "`softmax` is not defined in any file; work.ipynb cell 2 does not parse (line 1: SyntaxError: '(' was never "
        "closed) and was not run, and 1 more like it"
    )


def test_the_last_broken_cell_with_a_name_is_the_one_that_is_told(read, notebook):
    found = read({"a.ipynb": notebook("def attention(Q)", "def attention(Q:\n  x")}).definitions["attention"]
    assert (found.cell, found.line) == (2, 1)
    assert found.cause.startswith("a.ipynb cell 2 line 1: ")


def test_work_without_any_asked_name_is_nothing_to_grade_although_a_cell_is_broken(read, notebook):
    with pytest.raises(NothingToGradeError):
        read({"a.ipynb": notebook("x = 1", "y = (")})


def test_what_is_only_possible_keeps_the_reason_why_it_may_be_missing(read):
    found = read({"third_key.py": "globals()['a'] = 1\ndef Softmax(x): return x\n" + RIGHT}).definitions["softmax"]
    assert (found.state, found.otherwise) == (FunctionState.POSSIBLE, FunctionState.MISSING)
    assert found.cause == "`softmax` is not defined; third_key.py line 2 defines `Softmax`"
    untouched = read({"third_key.py": STUB + "exec('x = 1')\n"}).definitions["attention"]
    assert (untouched.state, untouched.otherwise) == (FunctionState.POSSIBLE, FunctionState.UNTOUCHED)


def test_sentences_about_odd_names_and_odd_code_hold_nothing_that_acts(read):
    files = {
        "a\u202eb\x1b[2J.py": "def attention(Q):\n    return Q\u2066\n",
        "third_key.py": "def softmax(x): return x\n",
    }
    submission = read(files)
    for sentence in [*submission.notes, *(d.cause for d in submission.definitions.values())]:
        assert sentence.isprintable()
    assert "a\\u202eb\\x1b[2J.py" in {file.name for file in submission.files}
