"""From files on a disk to the functions in a child: packages, imports, and names that only running makes."""

import sys
from collections.abc import Callable

import pytest

from grader.calls import Call, Ended, Limits, Reply
from grader.grading import grade_paths
from grader.report import Outcome
from grader.sandbox import open_engine, run
from grader.settings import Settings
from grader.submissions import FunctionState
from grader.submissions.discovery import MAX_SCRIPT

LIMITS = Limits(call=2.0, load=5.0, submission=30.0)
ANSWER = "def attention(Q, K, V):\n    return 7\n"


@pytest.fixture(scope="module")
def engine():
    with open_engine("zygote" if sys.platform == "linux" else "spawn") as made:
        yield made


@pytest.fixture
def ask(read, engine) -> Callable[..., Reply]:
    """Return a function that reads files, runs them, and calls one asked-for name."""

    def call(files: dict[str, str], name: str = "attention", args: tuple[object, ...] = (1, 2, 3)) -> Reply:
        program = read(files).program
        return run(engine, program, [Call(f"{name}/1", name, args)], LIMITS).replies[f"{name}/1"]

    return call


PACKAGES = {
    "absolute": {"mine/__init__.py": "", "mine/core.py": "x = 7\n", "third_key.py": "from mine.core import x\n"},
    "a module from its package": {
        "mine/__init__.py": "",
        "mine/core.py": "x = 7\n",
        "third_key.py": "from mine import core\nx = core.x\n",
    },
    "what the package brings in": {
        "mine/__init__.py": "from .core import x\n",
        "mine/core.py": "x = 7\n",
        "third_key.py": "from mine import x\n",
    },
    "as": {"mine/__init__.py": "", "mine/core.py": "x = 7\n", "third_key.py": "import mine.core as c\nx = c.x\n"},
    "dotted": {
        "mine/__init__.py": "",
        "mine/core.py": "x = 7\n",
        "third_key.py": "import mine.core\nx = mine.core.x\n",
    },
    "nested": {
        "mine/__init__.py": "",
        "mine/deep/__init__.py": "from .er import x\n",
        "mine/deep/er.py": "from ..core import x\n",
        "mine/core.py": "x = 7\n",
        "third_key.py": "from mine.deep import x\n",
    },
    "importing itself": {
        "mine/__init__.py": "y = 7\nimport mine.core\nx = mine.core.x\n",
        "mine/core.py": "import mine\nx = mine.y\n",
        "third_key.py": "from mine import x\n",
    },
    "without __init__": {"mine/core.py": "x = 7\n", "third_key.py": "from mine.core import x\n"},
    "the answer inside": {
        "mine/__init__.py": "",
        "mine/core.py": "x = 7\n",
        "mine/third_key.py": "from .core import x\n",
    },
    "a folder above": {
        "src/mine/__init__.py": "",
        "src/mine/core.py": "x = 7\n",
        "src/third_key.py": "from mine.core import x\n",
    },
    "a package elsewhere": {
        "src/mine/__init__.py": "from .core import x\n",
        "src/mine/core.py": "x = 7\n",
        "third_key.py": "from mine import x\n",
    },
    "its own folder": {"helper.py": "x = 1\n", "a/helper.py": "x = 7\n", "a/third_key.py": "from helper import x\n"},
    "the whole module": {
        "helper.py": "x = 1\n",
        "a/helper.py": "x = 7\n",
        "a/third_key.py": "import helper\nx = helper.x\n",
    },
    "one level deeper": {
        "tools/more.py": "x = 1\n",
        "a/tools/more.py": "x = 7\n",
        "a/third_key.py": "from tools.more import x\n",
    },
    "one level deeper, whole": {
        "tools/more.py": "x = 1\n",
        "a/tools/more.py": "x = 7\n",
        "a/third_key.py": "import tools.more\nx = tools.more.x\n",
    },
    "the package around it": {
        "a/__init__.py": "from .third_key import attention\n",
        "a/helper.py": "x = 7\n",
        "a/third_key.py": "from helper import x\n",
    },
    "beside, in another file": {
        "third_key.py": "from a.user import x\n",
        "a/user.py": "from helper import x\n",
        "a/helper.py": "x = 7\n",
        "helper.py": "x = 1\n",
    },
    "relative to a renamed file": {"doe_1_core.py": "x = 7\n", "third_key.py": "from .core import x\n"},
    "late": {
        "helper.py": "x = 1\n",
        "a/helper.py": "x = 7\n",
        "a/third_key.py": "def attention(Q, K, V):\n    from helper import x\n    return x\n",
    },
}


@pytest.mark.parametrize("case", PACKAGES)
def test_an_import_finds_what_lies_in_a_package_or_beside_the_file(ask, case):
    files = dict(PACKAGES[case])
    home = next(name for name in files if name.endswith("third_key.py"))
    if "def attention" not in files[home]:
        files[home] += "def attention(Q, K, V):\n    return x\n"
    reply = ask(files)
    assert (reply.ended, reply.value) == (Ended.RETURNED, 7), reply


def test_what_is_installed_goes_before_what_lies_beside(ask):
    reply = ask(
        {
            "a/json.py": "def dumps(x): return 0\n",
            "a/third_key.py": "import json\n" + ANSWER.replace("7", "json.dumps(7)"),
        }
    )
    assert reply.value == "7"


@pytest.mark.parametrize(
    "user",
    [
        "from third_key import attention\n",
        "from work.deep.third_key import attention\n",
        "from deep.third_key import attention as attention\n",
        "from .deep.third_key import attention\n",
        "import third_key as t\nattention = t.attention\n",
        "import deep.third_key\nattention = deep.third_key.attention\n",
        "from deep import third_key as t\nattention = t.attention\n",
        "from third_key import attention as mine\nattention = mine\n",
        "try:\n    from third_key import attention\nexcept ImportError:\n    from .third_key import attention\n",
        "from thirdkey import attention\n",
        "import thirdkey\nattention = thirdkey.attention\n",
    ],
)
def test_an_import_is_never_taken_for_a_definition_of_its_own(read, user):
    submission = read(
        {"work/deep/third_key.py": ANSWER, "work/multi_head.py": user + "def head_scale(d, h): return 1\n"}
    )
    found = submission.definitions["attention"]
    assert (found.state, found.file) == (FunctionState.DEFINED, "work/deep/third_key.py")


def test_an_imported_function_is_an_answer_where_nobody_wrote_one(read):
    found = read({"third_key.py": "from scipy.special import softmax\n" + ANSWER}).definitions["softmax"]
    assert (found.state, found.file, found.line) == (FunctionState.DEFINED, "third_key.py", 1)


def test_the_same_import_in_two_files_is_no_conflict(read):
    files = {"a.py": "from scipy.special import softmax\n", "b.py": "from scipy.special import expit, softmax\n"}
    assert read(files).definitions["softmax"].state is FunctionState.DEFINED


MADE = {
    "globals": "globals()['attention'] = lambda Q, K, V: 7\n",
    "exec": "exec('def attention(Q, K, V): return 7')\n",
    "setattr": "import sys\nsetattr(sys.modules[__name__], 'attention', lambda Q, K, V: 7)\n",
    "a loop": "for name in ['attention', 'softmax']:\n    vars()[name] = lambda *args: 7\n",
    "module __getattr__": "def __getattr__(name):\n    if name == 'attention':\n        return lambda *args: 7\n"
    "    raise AttributeError(name)\n",
    "with": "import contextlib\nwith contextlib.nullcontext(lambda *args: 7) as attention:\n    pass\n",
    "walrus": "print(attention := (lambda *args: 7))\n",
    "match": "match (lambda *args: 7):\n    case attention:\n        pass\n",
    "global": "def make():\n    global attention\n    attention = lambda *args: 7\nmake()\n",
    "import as": "import numpy as attention\nattention = lambda *args: 7\n",
    "code of a stub": "def attention(Q, K, V):\n    raise NotImplementedError\n\n"
    "def other(Q, K, V):\n    return 7\n\nattention.__code__ = other.__code__\n",
    "stub replaced by exec": "def attention(Q, K, V):\n    raise NotImplementedError\n\n"
    "exec('attention = lambda *args: 7')\n",
    "decorator": "def made(f):\n    return lambda *args: 7\n\n@made\ndef attention(Q, K, V):\n    '''Doc.'''\n",
    "decorator of a stub": "def made(f):\n    return lambda *args: 7\n\n@made\ndef attention(Q, K, V):\n"
    "    raise NotImplementedError\n",
    "wrapped stub": "def attention(Q, K, V): ...\n\nattention = (lambda f: lambda *args: 7)(attention)\n",
    "class with a base": "class Base:\n    def __new__(cls, *args):\n        return 7\n\n"
    "class attention(Base):\n    pass\n",
    "metaclass": "class Meta(type):\n    def __call__(cls, *args):\n        return 7\n\n"
    "class attention(metaclass=Meta):\n    pass\n",
    "lambda": "attention = lambda *args: 7\n",
    "partial": "import functools\nattention = functools.partial(lambda x, *args: x, 7)\n",
}


@pytest.mark.parametrize("case", MADE)
def test_a_name_that_only_running_makes_is_asked_of_the_child(ask, case):
    reply = ask({"third_key.py": MADE[case] + "def softmax(x, axis=-1):\n    return x\n"})
    assert (reply.ended, reply.value) == (Ended.RETURNED, 7), reply


@pytest.mark.parametrize("case", MADE)
def test_a_name_that_only_running_makes_is_work_even_if_it_is_the_only_one(read, case):
    found = read({"third_key.py": MADE[case]}).definitions["attention"]
    assert found.state in {FunctionState.POSSIBLE, FunctionState.DEFINED}


def test_a_star_import_may_bring_a_name(read):
    submission = read({"third_key.py": "from somewhere import *\n" + ANSWER})
    assert submission.definitions["softmax"].state is FunctionState.POSSIBLE
    assert submission.definitions["attention"].state is FunctionState.DEFINED
    assert read({"third_key.py": "from helper import *\n" + ANSWER, "helper.py": "x = 1\n"}).definitions[
        "softmax"
    ] == submission.definitions["softmax"]._replace(
        state=FunctionState.MISSING, file=None, otherwise=FunctionState.UNTOUCHED
    )


def test_a_helper_that_fills_in_another_files_stub_is_run(ask):
    filler = "import third_key\nsetattr(third_key, 'attention', lambda *args: 7)\n"
    stub = "def attention(Q, K, V):\n    raise NotImplementedError\n"
    assert ask({"third_key.py": stub, "filler.py": filler}).value == 7


def test_work_that_makes_no_names_is_not_asked_for_any(read):
    submission = read({"third_key.py": ANSWER, "lecture.py": "exec('x = 1')\n"})
    assert submission.definitions["softmax"].state is FunctionState.MISSING
    assert submission.program.run == ("third_key",)


def test_an_untouched_stub_stays_untouched(read):
    stub = "def attention(Q, K, V):\n    raise NotImplementedError\n"
    assert read({"third_key.py": stub}).definitions["attention"].state is FunctionState.UNTOUCHED


# what a notebook takes that a script does not


def notebook_reply(ask, notebook, *cells):
    return ask({"work.ipynb": notebook(*cells)})


@pytest.mark.parametrize(
    "cells",
    [
        ["x = 1\nfrom __future__ import annotations\n" + ANSWER],
        ["x = 1\nfrom __future__ import annotations\ndef f(a: nothing_of_that_name): pass\n", ANSWER],
        [ANSWER + "return 3\nx = (1).nothing\n"],
        ["x = 1\nif x:\n    return\n", ANSWER],
        ["x = await_me = 1\n" + ANSWER + "yield 1\n"],
        [ANSWER + "break\n"],
        ["_, __, Out, In, exit, quit, display\nexit()\n", ANSWER],
        ["get_ipython().run_line_magic('matplotlib', 'inline')\n" + ANSWER],
    ],
)
def test_a_cell_runs_as_in_jupyter(ask, notebook, cells):
    assert notebook_reply(ask, notebook, *cells).value == 7


def test_a_top_level_return_costs_what_follows_it(ask, notebook):
    reply = notebook_reply(ask, notebook, "x = 1\nreturn x\n" + ANSWER)
    assert reply.ended is Ended.LOST


def test_a_script_that_was_exported_from_a_notebook_runs(ask):
    exported = "get_ipython().run_line_magic('matplotlib', 'inline')\nget_ipython().system('ls')\n"
    assert ask({"third_key.py": exported + ANSWER}).value == 7


# what the report says where the child has nothing

STUB = "def softmax(x, axis=-1):\n    raise NotImplementedError\n"
NOTHING = {
    "a decorated stub": ("@(lambda f: f)\n" + STUB, Outcome.NOT_ATTEMPTED, "`softmax` is not started."),
    "a decorated docstring": (
        "@(lambda f: f)\ndef softmax(x, axis=-1):\n    '''Doc.'''\n",
        Outcome.NOT_ATTEMPTED,
        "`softmax` is not started.",
    ),
    "a stub beside code that makes names": (
        STUB + "exec('x = 1')\n",
        Outcome.NOT_ATTEMPTED,
        "`softmax` is not started.",
    ),
    "a stub above code that fails": (STUB + "exec('x = (')\n", Outcome.NOT_ATTEMPTED, "`softmax` is not started."),
    "nothing": ("exec('x = 1')\n", Outcome.MISSING, "`softmax` is not defined in any file."),
    "another spelling": (
        "exec('x = 1')\ndef soft_max(x): return x\n",
        Outcome.MISSING,
        "`softmax` is not defined; third_key.py line 4 defines `soft_max`",
    ),
    "a placeholder": (
        "exec('x = 1')\nfrom multi_head import softmax\n",
        Outcome.MISSING,
        "`softmax` is not defined in any file.",
    ),
}


@pytest.mark.parametrize("case", NOTHING)
def test_where_running_makes_nothing_the_report_says_what_the_source_says(tmp_path, engine, case):
    text, outcome, message = NOTHING[case]
    (tmp_path / "third_key.py").write_text("def attention(Q, K, V):\n    return Q, K\n" + text)
    report = grade_paths([tmp_path], Settings(exercises=("third_key",)), engine=engine)
    checks = [check for exercise in report.exercises for check in exercise.checks if check.function == "softmax"]
    assert {(check.outcome, check.message) for check in checks} == {(outcome, message)}


def test_a_file_that_was_not_read_stays_the_reason_where_running_makes_nothing(tmp_path, engine):
    (tmp_path / "third_key.py").write_text("exec('attention = lambda Q, K, V: (Q, K)')\n")
    with (tmp_path / "more.py").open("wb") as file:
        file.truncate(MAX_SCRIPT + 1)
    report = grade_paths([tmp_path], Settings(exercises=("third_key",)), engine=engine)
    checks = [check for exercise in report.exercises for check in exercise.checks if check.function == "softmax"]
    assert {check.outcome for check in checks} == {Outcome.ERROR}
    assert {check.message for check in checks} == {"more.py was not read: too large: 4097 KiB, the limit is 4096 KiB"}
