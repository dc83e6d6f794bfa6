"""The program: modules and their names, what runs, what only waits, what is absent."""

import ast

import pytest

from grader.submissions.names import looks_like

ATTENTION = "def attention(Q, K, V):\n    return Q, K\n"
SCALE = "from third_key import attention\n\ndef head_scale(d, h):\n    return 1\n"
STUB = "def attention(Q, K, V):\n    raise NotImplementedError\n"


def units(submission):
    return {unit.file: unit for unit in submission.program.units}


@pytest.mark.parametrize(
    ("stem", "wanted", "expected"),
    [
        ("third_key", "third_key", True),
        ("Third Key", "third_key", True),
        ("third-key", "third_key", True),
        ("third_key (1)", "third_key", True),
        ("third_key(12)", "third_key", True),
        ("third_key-1", "third_key", True),
        ("third_key - Copy", "third_key", True),
        ("third_key copy 2", "third_key", True),
        ("doe_1_2_third_key-1", "third_key", True),
        ("doe_LATE_1_2_third_key", "third_key", True),
        ("397004-2557001 - Student Four - third_key", "third_key", True),
        ("my_third_keys", "third_key", False),
        ("notthird_key", "third_key", False),
        ("key", "third_key", False),
        ("third_key_old", "third_key", False),
    ],
)
def test_renamed_files_are_recognised(stem, wanted, expected):
    assert looks_like(stem, wanted) is expected


def test_a_renamed_file_answers_to_its_exercise_and_to_its_own_name(read):
    submission = read({"doe_1_2_third_key-1.py": ATTENTION, "doe_1_3_multi_head.py": SCALE})
    assert units(submission)["doe_1_2_third_key-1.py"].aliases == ("third_key",)
    assert units(submission)["doe_1_3_multi_head.py"].module == "doe_1_3_multi_head"
    assert submission.program.run == (units(submission)["doe_1_2_third_key-1.py"].module, "doe_1_3_multi_head")
    assert submission.program.absent == ("gradient_chain",)


def test_a_file_in_a_folder_is_importable_by_stem_and_by_dotted_path(read):
    submission = read({"src/third_key.py": ATTENTION, "src/tools/plot.py": "x = 1\n", "src/__init__.py": ""})
    assert (units(submission)["src/third_key.py"].module, units(submission)["src/third_key.py"].aliases) == (
        "third_key",
        ("src.third_key",),
    )
    assert units(submission)["src/tools/plot.py"].aliases == ("src.tools.plot", "tools.plot")
    assert units(submission)["src/__init__.py"].module == "src"


def test_helpers_are_part_of_the_program_but_do_not_run(read):
    submission = read({"third_key.py": ATTENTION, "helper.py": "x = 1\n", "broken.py": "x = (\n"})
    assert submission.program.run == ("third_key",)
    assert {unit.module for unit in submission.program.units} == {"third_key", "helper", "broken"}
    assert "broken.py does not parse (line 1: SyntaxError: '(' was never closed) and was not run" in submission.notes


def test_modules_are_unique_and_no_alias_belongs_to_two(read, notebook):
    files = {"a/utils.py": "x = 1\n", "b/utils.py": "x = 2\n", "c d/utils.py": "x = 3\n", "utils.py": "x = 0\n"}
    files |= {"third_key.py": ATTENTION, "utils.ipynb": notebook("def softmax(x): return x")}
    submission = read(files)
    named = [name for unit in submission.program.units for name in (unit.module, *unit.aliases)]
    assert len(named) == len(set(named))
    assert units(submission)["utils.py"].module == "utils"
    assert units(submission)["b/utils.py"].module == "b.utils"


def test_a_file_that_is_called_like_a_library_is_left_out(read):
    submission = read({"third_key.py": ATTENTION, "numpy.py": "x = 1\n", "random.py": "x = 1\n"})
    assert list(units(submission)) == ["third_key.py"]
    assert "numpy.py was left out: its name is that of the library `numpy`" in submission.notes


def test_an_answer_in_a_file_that_is_called_like_a_library_counts_under_another_name(read):
    submission = read({"random.py": ATTENTION})
    unit = submission.program.units[0]
    assert unit.module == "random_1"
    assert unit.aliases == ("third_key",)


def test_a_helper_that_a_platform_renamed_is_found_by_what_is_imported(read):
    submission = read({"doe_1_5_helper.py": "x = 1\n", "third_key.py": "from helper import x\n" + ATTENTION})
    assert "helper" in units(submission)["doe_1_5_helper.py"].aliases


def test_a_notebook_answers_to_the_exercises_that_it_defines(read, notebook):
    submission = read({"work.ipynb": notebook(ATTENTION, "def head_scale(d, h): return 1")})
    unit = submission.program.units[0]
    assert unit.notebook
    assert unit.aliases == ("third_key", "multi_head")
    assert submission.program.absent == ("gradient_chain",)


def test_in_a_notebook_an_import_of_its_own_functions_is_not_run(read, notebook):
    submission = read({"work.ipynb": notebook("x = 1\nfrom third_key import attention\ny = 2\n", ATTENTION)})
    assert [cell.text for cell in submission.program.units[0].cells] == ["x = 1\npass\ny = 2\n", ATTENTION]


def test_in_a_notebook_an_import_from_a_script_that_counts_is_run(read, notebook):
    files = {"third_key.py": ATTENTION, "work.ipynb": notebook(SCALE)}
    assert read(files).program.units[1].cells[0].text == SCALE


def test_untouched_scripts_beside_a_notebook_are_no_part_of_the_program(read, notebook):
    script = '"""Shipped."""\n\nimport numpy as np\n\n' + STUB + "\nif __name__ == '__main__':\n    print(1)\n"
    submission = read({"third_key.py": script, "attention.ipynb": notebook(ATTENTION)})
    assert [unit.file for unit in submission.program.units] == ["attention.ipynb"]
    assert submission.program.units[0].aliases == ("third_key",)
    assert submission.notes == ()


def test_an_untouched_notebook_beside_scripts_is_no_part_of_the_program(read, notebook):
    submission = read({"third_key.py": ATTENTION, "attention.ipynb": notebook(STUB)})
    assert [unit.file for unit in submission.program.units] == ["third_key.py"]


def test_stubs_are_listed_where_they_are_bound_so_that_they_can_be_replaced(read, notebook):
    files = {"third_key.py": "def softmax(x): return x\n" + STUB, "multi_head.py": SCALE}
    files["attention.ipynb"] = notebook(ATTENTION, "def head_scale(d, h): pass")
    program = read(files).program
    assert program.homes == {"softmax": "third_key", "attention": "attention", "head_scale": "multi_head"}
    assert set(program.stubs) == {
        ("third_key", "attention"),
        ("multi_head", "attention"),
        ("attention", "head_scale"),
    }


def test_a_file_with_nothing_but_stubs_is_kept_where_nothing_else_has_them(read):
    program = read({"third_key.py": STUB, "multi_head.py": SCALE}).program
    assert program.run == ("multi_head",)
    assert {unit.module for unit in program.units} == {"third_key", "multi_head"}
    assert program.absent == ("gradient_chain",)


def test_modules_run_in_the_order_of_the_exercises(read):
    files = {"gradient_chain.py": "CHAIN = ['x']\n", "multi_head.py": SCALE, "third_key.py": ATTENTION}
    assert read(files).program.run == ("third_key", "multi_head", "gradient_chain")


def test_a_written_file_of_a_notebook_is_a_name_of_the_notebook(read, notebook):
    submission = read(
        {"w.ipynb": notebook("%%writefile helper.py\nscale = 2\n", "from helper import scale\n" + ATTENTION)}
    )
    unit = submission.program.units[0]
    assert unit.aliases == ("third_key", "helper")
    assert unit.cells[0].text == "\nscale = 2\n"


def test_every_cell_of_a_program_keeps_its_line_numbers(read, notebook):
    source = "%%time\n\n%matplotlib inline\nfiles = !ls\n" + ATTENTION
    submission = read({"w.ipynb": notebook(source)})
    assert submission.definitions["attention"].line == 5
    tree = ast.parse(submission.program.units[0].cells[0].text)
    assert tree.body[-1].lineno == 5


def test_an_unrelated_notebook_is_noted(read, notebook):
    submission = read({"third_key.py": ATTENTION, "lecture.ipynb": notebook("x = 1")})
    assert submission.notes == ("lecture.ipynb has none of the asked-for functions and was not run",)


def test_the_same_work_gives_the_same_program_in_any_order_of_reading(read, notebook, asked, tmp_path):
    from grader.submissions import read_submission

    read({"third_key.py": ATTENTION, "b/x.py": "x = 1\n", "w.ipynb": notebook("def softmax(x): return x")})
    top = tmp_path / "work"
    one = read_submission([top / "third_key.py", top / "b" / "x.py", top / "w.ipynb"], asked)
    two = read_submission([top / "w.ipynb", top / "b" / "x.py", top / "third_key.py"], asked)
    assert one.program.homes == two.program.homes
    assert one.program.run == two.program.run
