"""Running files and cells, over both engines."""

import pytest

from grader.calls import Call, Cell, Ended, Limits, Program, Unit
from grader.sandbox import run
from sandbox.programs import QUICK, everything, notebook, only_load, outcome, script, scripts, value

SHORT = Limits(call=0.5, load=0.4, submission=20.0)


# scripts


def test_a_script_that_raises_is_told_and_keeps_what_it_had_defined(engine):
    text = "def f(): return 1\n\nraise ValueError('no')\ndef g(): return 2\n"
    result = everything(engine, script(text, "f", "g"), Call("f", "f"), Call("g", "g"))
    load = only_load(result)
    assert (load.ended, load.module, load.file, load.cell) == (Ended.RAISED, "work", "work.py", None)
    assert (load.error.type, load.error.line, load.error.text) == ("ValueError", 3, "raise ValueError('no')")
    assert result.replies["f"].value == 1
    assert result.replies["g"].ended == Ended.LOST
    assert "work.py" in result.replies["g"].detail


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("import sys; sys.exit(0)", "SystemExit"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("input()", "EOFError"),
    ],
)
def test_leaving_or_reading_at_import_is_an_error_like_others(engine, text, kind):
    assert only_load(everything(engine, script(text))).error.type == kind


def test_a_syntax_error_is_told_with_its_line(engine):
    error = only_load(everything(engine, script("x = 1\ndef f(:\n    pass\n"))).error
    assert (error.type, error.file, error.line, error.text) == ("SyntaxError", "work.py", 2, "def f(:")
    assert error.message
    assert "work.py" not in error.message


def test_the_main_block_does_not_run(engine):
    text = "where = __name__\nif __name__ == '__main__':\n    raise SystemExit\ndef f(): return where"
    assert value(engine, text) == "work"


def test_one_broken_file_leaves_the_others_alone(engine):
    program = scripts("f", home="good", bad="raise ValueError", good="def f(): return 1")
    result = everything(engine, program)
    assert only_load(result).module == "bad"
    assert result.replies["f"].value == 1


def test_siblings_are_imported_by_name_and_by_alias_and_run_once(engine):
    user = "import third_key, doe_third_key\ndef f(): return third_key is doe_third_key, third_key.g()"
    units = (
        Unit("doe_third_key", "doe/third_key-1.py", (Cell("print('ran')\ndef g(): return 1"),), aliases=("third_key",)),
        Unit("work", "work.py", (Cell(user),)),
    )
    program = Program(units, ("work", "doe_third_key"), {"f": "work"})
    result = everything(engine, program)
    assert result.replies["f"].value == (True, 1)
    assert result.output.count("ran") == 1


def test_a_module_that_nobody_imports_and_that_is_not_asked_for_does_not_run(engine):
    idle = Unit("idle", "idle.py", (Cell("raise ValueError"),))
    work = Unit("work", "work.py", (Cell("def f(): return 1"),))
    result = everything(engine, Program((idle, work), ("work",), {"f": "work"}))
    assert result.loads == ()


@pytest.mark.parametrize("name", ["numpy", "random", "math", "statistics"])
def test_a_file_named_like_a_library_never_stands_in_for_it(engine, name):
    units = (
        Unit(name, f"{name}.py", (Cell("def f(): return __name__"),)),
        Unit("work", "work.py", (Cell(f"import {name}\ndef g(): return hasattr({name}, 'f')"),)),
    )
    program = Program(units, (name, "work"), {"f": name, "g": "work"})
    result = everything(engine, program, Call("f", "f"), Call("g", "g"))
    assert (result.replies["f"].value, result.replies["g"].value) == (name, False)


def test_two_files_that_import_each_other_work_as_in_python(engine):
    program = scripts("f", home="a", a="import b\ndef f(): return b.g()\n", b="import a\ndef g(): return a.f.__name__")
    assert outcome(engine, program).value == "f"


def test_classes_and_annotations_of_a_script_find_their_module(engine):
    text = """
from __future__ import annotations
from dataclasses import dataclass
from typing import NamedTuple, get_type_hints
@dataclass
class Pair:
    a: int
class Two(NamedTuple):
    b: Pair
def f(): return get_type_hints(Two)['b'] is Pair, Pair(1).a
"""
    assert value(engine, text) == (True, 1)


def test_names_from_star_imports_and_globals_are_found(engine):
    work = "from parts import *\nglobals()['g'] = lambda: 2"
    program = scripts("f", "g", home="work", parts="def f(): return 1", work=work)
    result = everything(engine, program, Call("f", "f"), Call("g", "g"))
    assert (result.replies["f"].value, result.replies["g"].value) == (1, 2)


def test_a_name_that_moved_to_another_file_is_found_there(engine):
    program = scripts("f", home="empty", empty="", other="def f(): return 3")
    assert outcome(engine, program).value == 3


def test_stubs_that_were_imported_from_elsewhere_are_rebound(engine):
    stub = "def attention(): raise NotImplementedError\ndef f(): return attention()"
    units = (
        Unit("multi_head", "multi_head.py", (Cell(stub),)),
        Unit("nb", "nb.ipynb", (Cell("def attention(): return 'mine'", 1),), notebook=True),
    )
    homes = {"f": "multi_head", "attention": "nb"}
    program = Program(units, ("multi_head", "nb"), homes, (("multi_head", "attention"),))
    assert outcome(engine, program).value == "mine"


def test_a_hanging_file_is_left_out_and_the_rest_is_graded(engine):
    program = scripts("f", "g", home="good", bad="while True: pass", good="def f(): return 1")
    result = run(engine, program, [Call("f", "f")], SHORT)
    assert (only_load(result).module, only_load(result).ended) == ("bad", Ended.TIMEOUT)
    assert "0.4 s" in only_load(result).detail
    assert result.replies["f"].value == 1


def test_a_crashing_file_is_left_out_and_its_functions_are_lost(engine):
    bad = Unit("bad", "bad.py", (Cell("import os\nos._exit(7)"),))
    good = Unit("good", "good.py", (Cell("def f(): return 1"),))
    program = Program((bad, good), ("bad", "good"), {"f": "good", "g": "bad"})
    result = everything(engine, program, Call("f", "f"), Call("g", "g"))
    assert (only_load(result).ended, only_load(result).detail) == (Ended.CRASHED, "exit code 7")
    assert result.replies["f"].value == 1
    assert result.replies["g"].ended == Ended.LOST


def test_a_file_that_hangs_while_another_one_imports_it_is_the_one_left_out(engine):
    texts = {"user": "from slow import g\ndef f(): return 1", "slow": "def g(): return 2\nwhile True: pass"}
    program = scripts("f", home="user", **texts)
    result = run(engine, program, [Call("f", "f")], SHORT)
    assert only_load(result).module == "slow"
    assert result.replies["f"].value == 1


def test_after_three_hanging_files_everything_is_lost(engine):
    texts = {f"m{i}": "while True: pass" for i in range(4)}
    result = run(engine, scripts("f", home="last", **texts, last="def f(): return 1"), [Call("f", "f")], SHORT)
    assert [load.module for load in result.loads] == ["m0", "m1", "m2"]
    assert result.replies["f"].ended == Ended.LOST


def test_too_much_memory_in_a_file_is_told(engine):
    load = only_load(everything(engine, script("x = [0] * 10**12")))
    assert load.ended == Ended.MEMORY
    assert "memory limit" in load.detail


# notebooks


def test_cells_share_one_namespace_and_a_failing_cell_stops_nothing(engine):
    result = everything(engine, notebook("a = 1", "b = a / 0", "def f(): return a, __name__"))
    load = only_load(result)
    assert (load.cell, load.error.type, load.error.cell, load.error.line) == (2, "ZeroDivisionError", 2, 1)
    assert result.replies["f"].value == (1, "work")


def test_the_last_definition_counts(engine):
    assert outcome(engine, notebook("def f(): return 1", "def f(): return 2")).value == 2


def test_errors_in_calls_name_cell_and_line(engine):
    error = outcome(engine, notebook("x = 0", "# comment\ndef f():\n    return 1 / x")).error
    assert (error.file, error.cell, error.line, error.text) == ("work.ipynb", 2, 3, "return 1 / x")


def test_a_syntax_error_in_the_answers_cell_is_what_the_lost_function_points_to(engine):
    result = everything(engine, notebook("x = 1", "def f()\n    return 1"))
    assert (only_load(result).cell, only_load(result).error.line) == (2, 1)
    assert result.replies["f"].ended == Ended.LOST
    assert result.replies["f"].detail == "work.ipynb, cell 2 could not be run"


def test_a_broken_scratch_cell_does_not_explain_a_missing_function(engine):
    result = everything(engine, notebook("def g()", "x = 1"))
    assert result.replies["f"].ended == Ended.MISSING


def test_await_works_at_top_level(engine):
    assert outcome(engine, notebook("import asyncio\nx = await asyncio.sleep(0, 5)", "def f(): return x")).value == 5


def test_shell_and_display_do_nothing(engine):
    cell = "get_ipython().run_line_magic('matplotlib', 'inline')\ndisplay(1, 2)\nget_ipython().system('ls')"
    result = everything(engine, notebook(cell, "def f(): return get_ipython() is not None"))
    assert result.loads == ()
    assert result.replies["f"].value is True


def test_a_hanging_cell_is_left_out_and_what_other_cells_define_is_graded(engine):
    result = run(engine, notebook("a = 1", "while True: pass", "def f(): return a"), [Call("f", "f")], SHORT)
    assert (only_load(result).cell, only_load(result).ended) == (2, Ended.TIMEOUT)
    assert result.replies["f"].value == 1


def test_a_hanging_cell_that_defines_the_function_loses_it(engine):
    result = run(engine, notebook("def f(): return 1\nwhile True: pass"), [Call("f", "f")], SHORT)
    assert result.replies["f"].ended == Ended.LOST


def test_a_crash_in_a_call_runs_the_notebook_again_and_tells_each_failed_cell_once(engine):
    program = notebook("1 / 0", "import os\ndef f(): os._exit(1)\ndef g(): return 2", names=("f", "g"))
    result = everything(engine, program, Call("f", "f"), Call("g", "g"))
    assert only_load(result).cell == 1
    assert result.replies["g"].value == 2


def test_a_notebooks_alias_is_its_own_namespace(engine):
    cells = (
        "def attention(): return 1",
        "from third_key import attention\nimport third_key",
        "def f(): return attention() + third_key.x",
        "x = 5",
    )
    result = everything(engine, notebook(*cells, aliases=("third_key",)))
    assert result.loads == ()
    assert result.replies["f"].value == 6


# what is not there


PLOTTING = """
import matplotlib.pyplot as plt
from mpl_toolkits.mplot3d import Axes3D
fig, (ax, other) = plt.subplots(1, 2)
ax.plot([1, 2])[0].set_color('red')
with plt.style.context('dark'):
    plt.title(f'{plt.rcParams["x"]}')
for line in ax.lines: line.remove()
ax.x = 3
if plt.isinteractive(): raise ValueError
plt.show()
"""


def test_a_library_that_is_not_installed_takes_anything_while_files_run(engine):
    result = everything(engine, script(PLOTTING + "def f(): return 1"))
    assert result.loads == ()
    assert result.replies["f"].value == 1
    assert result.notes == (
        "matplotlib is not installed here; what uses it was skipped",
        "mpl_toolkits is not installed here; what uses it was skipped",
    )


def test_using_it_in_a_call_is_an_error_that_names_it(engine):
    text = PLOTTING + "def f():\n    plt.figure()\ndef g():\n    import torch.nn\ndef h(): return ax + 1"
    calls = [Call(name, name) for name in "fgh"]
    replies = run(engine, script(text, "f", "g", "h"), calls, QUICK).replies
    for name, module in (("f", "matplotlib"), ("g", "torch"), ("h", "matplotlib")):
        assert (replies[name].error.type, replies[name].error.absent) == ("ModuleNotFoundError", module)
        assert replies[name].error.function == name


def test_classes_and_decorators_from_a_missing_library_do_not_stop_the_rest(engine):
    text = """
import torch.nn as nn, numba
class Net(nn.Module):
    def __init__(self): self.layer = nn.Linear(1, 1)
@numba.njit(cache=True)
def f(): return 1
def g(): return Net.__name__
"""
    replies = run(engine, script(text, "f", "g"), [Call("f", "f"), Call("g", "g")], QUICK).replies
    assert replies["f"].error.absent == "numba"
    assert replies["g"].value == "Net"


def test_a_cell_that_misses_a_library_is_run_again_and_not_told_as_failed(engine):
    cells = ("from google.colab import drive\ndrive.mount('/content')", "import nothing_like_it\ndef f(): return 1")
    result = everything(engine, notebook(*cells))
    assert result.loads == ()
    assert [note.split()[0] for note in result.notes] == ["google", "nothing_like_it"]
    assert result.replies["f"].value == 1


def test_a_library_that_the_student_guards_is_really_missing(engine):
    text = "try:\n    import torch\nexcept ImportError:\n    torch = None\ndef f(): return torch is None"
    result = everything(engine, script(text))
    assert result.replies["f"].value is True
    assert result.notes == ()


@pytest.mark.parametrize("ending", ["while True: pass", "import os; os._exit(3)"])
def test_what_was_imported_is_not_blamed_for_what_comes_after_it(engine, ending):
    program = scripts("f", "g", work=f"import other\n{ending}\ndef f(): return 1", other="def g(): return 2")
    program = program._replace(homes={"f": "work", "g": "other"})
    result = everything(engine, program, Call("f", "f"), Call("g", "g"), limits=Limits(load=1.0))
    assert [load.module for load in result.loads] == ["work"]
    assert result.replies["g"].value == 2


def test_a_file_that_a_call_imports_is_part_of_the_call(engine):
    program = scripts(
        "f", work="def f(k):\n    import helper\n    return helper.x + k", helper="print('read')\nx = 1", absent=()
    )
    result = everything(engine, program._replace(run=("work",)), *(Call(str(k), "f", (k,)) for k in range(3)))
    assert [result.replies[str(k)].value for k in range(3)] == [1, 2, 3]
    assert result.output.count("read") == 1


@pytest.mark.parametrize("text", ["1 / 0", "raise SystemExit", "while True: pass"])
def test_a_file_that_a_call_imports_and_that_fails_costs_that_function(engine, text):
    work = "def f():\n    from helper import x\n    return x()\ndef g(): return 1"
    program = scripts("f", "g", work=work, helper=f"{text}\ndef x(): return 1")
    result = everything(engine, program._replace(run=("work",)), Call("f", "f"), Call("g", "g"), limits=QUICK)
    assert result.replies["f"].ended in (Ended.RAISED, Ended.TIMEOUT)
    assert "connection" not in result.replies["f"].detail
    assert result.replies["g"].value == 1


def test_a_missing_part_of_an_installed_library_is_an_error(engine):
    assert only_load(everything(engine, script("import numpy.nothing_like_it"))).error.type == "ModuleNotFoundError"


def test_an_exercise_that_was_not_handed_in_can_be_imported_and_not_called(engine):
    text = """
from third_key import attention, softmax
import third_key
def f(): return attention(1)
def g(): return third_key.softmax(1)
def h(): return 1
"""
    program = scripts("f", "g", "h", work=text, absent=("third_key",))
    result = everything(engine, program, *(Call(name, name) for name in "fgh"))
    assert result.loads == ()
    assert result.notes == ()
    assert result.replies["f"].error.absent == "third_key.attention"
    assert result.replies["g"].error.absent == "third_key.softmax"
    assert result.replies["h"].value == 1


def test_calling_it_while_files_run_is_an_error(engine):
    program = scripts(work="from third_key import attention\nattention(1)", absent=("third_key",))
    load = only_load(everything(engine, program))
    assert load.error.absent == "third_key.attention"
    assert load.error.line == 2


def test_what_a_sibling_had_not_defined_when_it_failed_counts_as_not_handed_in(engine):
    work = "from broken import early, late\ndef f(): return late()\ndef g(): return early()\ndef h(): return 1"
    program = scripts("f", "g", "h", work=work, broken="def early(): return 2\n1 / 0\ndef late(): return 3")
    result = everything(engine, program, Call("f", "f"), Call("g", "g"), Call("h", "h"))
    assert only_load(result).module == "broken"
    assert result.replies["f"].error.absent == "broken.late"
    assert result.replies["g"].value == 2
    assert result.replies["h"].value == 1


@pytest.mark.parametrize("line", ["from src.base import g", "import src.base; g = src.base.g", "from .base import g"])
def test_a_sibling_is_found_by_its_folder_and_by_a_relative_import(engine, line):
    base = Unit("base", "src/base.py", (Cell("def g(): return 3\n"),), ("src.base",))
    work = Unit("work", "src/work.py", (Cell(f"{line}\ndef f(): return g()\n"),), ("src.work",))
    program = Program((base, work), ("work",), {"f": "work"})
    result = everything(engine, program)
    assert result.loads == ()
    assert result.replies["f"].value == 3


def test_a_future_that_a_cell_imports_holds_for_the_cells_after_it(engine):
    cells = ("from __future__ import annotations", "def f(x: Unknown = 0) -> Unknown: return 1")
    assert everything(engine, notebook(*cells)).replies["f"].value == 1
    result = everything(engine, notebook(*cells[::-1]))
    assert result.replies["f"].ended != Ended.RETURNED
