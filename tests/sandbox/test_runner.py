"""One submission's calls, over both engines."""

import sys

import numpy as np
import pytest

from grader.calls import Call, Cell, Ended, Limits, Opaque, Program, Ref, Smooth, Unit, Wrapped
from grader.sandbox import run
from grader.sandbox.shared.smooth import SMOOTH
from sandbox.programs import QUICK, everything, notebook, outcome, script, scripts, value

A = np.arange(6.0).reshape(2, 3)


def test_arrays_go_in_and_come_back(engine):
    np.testing.assert_array_equal(value(engine, "def f(a, s, k):\n    return a * k", A, "text", 3), A * 3)


def test_replies_come_for_every_call_in_the_order_of_the_functions(engine):
    program = script("def f(x): return x\ndef g(x): return -x", "f", "g")
    calls = [Call("a", "f", (1,)), Call("b", "g", (2,)), Call("c", "f", (3,))]
    replies = run(engine, program, calls, QUICK).replies
    assert {key: reply.value for key, reply in replies.items()} == {"a": 1, "b": -2, "c": 3}


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("readonly", [False, True])
def test_arguments_have_the_layout_that_was_asked_for(engine, order, readonly):
    text = "def f(a): return (a.flags.c_contiguous, a.flags.f_contiguous, a.flags.writeable, a.flags.owndata)"
    assert value(engine, text, A, order=order, readonly=readonly) == (order == "C", order == "F", not readonly, True)


def test_an_argument_changed_in_place_is_seen_in_the_echo_and_not_in_the_next_call(engine):
    program = script("def f(a, items):\n    a[:] = 0\n    items[0] += 1\n    return a")
    calls = [Call(name, "f", (A, [A]), echo=True) for name in "ab"]
    for reply in run(engine, program, calls, QUICK).replies.values():
        np.testing.assert_array_equal(reply.echo[0], A * 0)
        np.testing.assert_array_equal(reply.echo[1][0], A + 1)
    assert A[1, 2] == 5


def test_a_second_call_is_made_before_the_first_result_is_looked_at(engine):
    text = "buffer = [0.0]\ndef f(x):\n    buffer[0] = x\n    return buffer"
    assert value(engine, text, 1.0, again=(2.0,)) == ([2.0], [2.0])
    assert value(engine, "def f(x): return x", 1.0, again=(2.0,)) == (1.0, 2.0)


def test_further_calls_are_asked_after_those_they_were_chosen_by_and_before_the_later_ones(engine):
    program = script("seen = []\ndef f(x):\n    seen.append(x)\n    return list(seen)")
    calls = [Call("later", "f", (3,), later=True), Call("first", "f", (1,))]

    def choose(replies):
        assert list(replies) == ["first"]
        return [Call("last", "f", (4,), later=True), Call("further", "f", (2,))]

    replies = run(engine, program, calls, QUICK, choose).replies
    assert {name: reply.value[-1] for name, reply in replies.items()} == {
        "first": 1,
        "further": 2,
        "later": 3,
        "last": 4,
    }
    assert replies["last"].value == [1, 2, 3, 4]


def test_further_calls_are_answered_in_place_of_a_child_that_was_lost(engine):
    program = script("import os\ndef f(x):\n    if x == 1: os._exit(0)\n    return x")
    replies = run(engine, program, [Call("a", "f", (1,))], QUICK, lambda _: [Call("b", "f", (2,))]).replies
    assert (replies["a"].ended, replies["b"].value) == (Ended.CRASHED, 2)


def test_a_constant_is_read_and_not_called(engine):
    assert value(engine, "f = ['a', 'b']", constant=True) == ["a", "b"]


def test_results_of_earlier_calls_are_filled_in(engine):
    program = script("def f(x): return x + 1, x + 2\ndef g(x, y): return x, y", "f", "g")
    calls = [
        Call("first", "f", (A,)),
        Call("same", "f", (Ref("first", 1),)),
        Call("other", "g", (Ref("same", 0), [Ref("first", 0), 5])),
    ]
    replies = run(engine, program, calls, QUICK).replies
    np.testing.assert_array_equal(replies["same"].value[0], A + 3)
    np.testing.assert_array_equal(replies["other"].value[0], A + 3)
    np.testing.assert_array_equal(replies["other"].value[1][0], A + 1)


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("def f(): return None", None),
        ("def f(): return {1}", None),
        ("def f(): return 1 / 0", None),
        ("def f(): return 1, {2}", 1),
        ("def f(): return 1, 2", 2),
        ("def f(): return 1", 0),
    ],
)
def test_a_call_that_needs_an_unusable_result_is_skipped(engine, text, item):
    calls = [Call("first", "f"), Call("second", "g", (Ref("first", item),))]
    reply = run(engine, script(text + "\ndef g(x): return x", "f", "g"), calls, QUICK).replies["second"]
    assert reply.ended == Ended.SKIPPED
    assert "first" in reply.detail


@pytest.mark.parametrize(
    "result",
    ["{10**2000: 1}", "{'x' * 70_000: 1}", "[{}] * 17_000", "[10**1200] * 500"],
)
def test_a_result_that_cannot_be_passed_on_costs_the_calls_that_need_it(engine, result):
    text = f"def f(): return {result}\ndef g(x, y): return 1"
    calls = [Call("first", "f"), *(Call(str(i), "g", (i, Ref("first"))) for i in range(4)), Call("plain", "g", (1, 2))]
    replies = run(engine, script(text, "f", "g"), calls, Limits(call=8.0)).replies
    assert replies["first"].ended == Ended.RETURNED
    assert replies["plain"].value == 1
    assert {replies[str(i)].ended for i in range(4)} <= {Ended.RETURNED, Ended.SKIPPED}


@pytest.mark.slow
def test_a_notebook_may_have_more_cells_than_a_frame_has_items(engine):
    program = notebook(*(f"x = {i}" for i in range(12_000)), "def f(): return x")
    assert run(engine, program, [Call("first", "f")], Limits()).replies["first"].value == 11_999


def test_a_matrix_is_passed_on_as_the_array_it_holds(engine):
    text = "import numpy as np\ndef f(): return np.matrix([[1.0, 2.0]])\ndef g(x): return type(x).__name__, x.shape"
    calls = [Call("first", "f"), Call("second", "g", (Ref("first"),))]
    replies = run(engine, script(text, "f", "g"), calls, QUICK).replies
    assert isinstance(replies["first"].value, Wrapped)
    assert replies["second"].value == ("ndarray", (1, 2))


@pytest.mark.parametrize("name", SMOOTH)
def test_smooth_functions_are_made_by_name(engine, name):
    assert value(engine, "def f(g, x): return g(x)", Smooth(name), A) == pytest.approx(SMOOTH[name](A), rel=1e-14)


def test_a_generator_is_opaque(engine):
    assert isinstance(value(engine, "def f(): return (x for x in iter(int, 1))"), Opaque)


def test_a_value_too_large_for_a_frame_is_opaque_and_the_rest_goes_on(engine):
    program = script("def f(): return ['x' * 500] * 19_000\ndef g(): return 1", "f", "g")
    replies = everything(engine, program, Call("f", "f"), Call("g", "g")).replies
    assert isinstance(replies["f"].value, Opaque)
    assert replies["g"].value == 1


# errors


def test_an_error_is_told_with_the_innermost_line_of_the_student(engine):
    program = script("import numpy as np\ndef f(x):\n    return np.linalg.inv(x)\n")
    error = outcome(engine, program, np.ones((2, 3))).error
    assert (error.type, error.file, error.line, error.function) == ("LinAlgError", "work.py", 3, "f")
    assert error.text == "return np.linalg.inv(x)"
    assert error.bases[0] == "ValueError"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("import sys\ndef f(): sys.exit(0)", "SystemExit"),
        ("def f(): raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("def f(): return f()", "RecursionError"),
        ("def f(x): pass", "TypeError"),
        ("f = 3", "TypeError"),
        ("def f(): raise GeneratorExit", "GeneratorExit"),
    ],
)
def test_whatever_is_raised_is_an_answer(engine, text, kind):
    reply = outcome(engine, script(text))
    assert (reply.ended, reply.error.type) == (Ended.RAISED, kind)


def test_a_message_is_cut_and_a_broken_one_is_empty(engine):
    assert len(outcome(engine, script("def f(): raise ValueError('x' * 10_000)")).error.message) == 500
    text = "class E(Exception):\n    def __str__(self): raise SystemExit\ndef f(): raise E('x')"
    error = outcome(engine, script(text)).error
    assert (error.type, error.message) == ("E", "")


def test_no_frame_or_path_of_ours_is_in_an_error(engine):
    error = outcome(engine, script("import os\ndef f(): g(os.getcwd())\ndef g(p): open(p)")).error
    assert error.message == "[Errno 21] Is a directory: '.'"
    error = outcome(engine, script("def f(): from numpy import nothing")).error
    assert error.message.startswith("cannot import name 'nothing' from 'numpy'")
    assert sys.prefix not in error.message


def test_reading_the_keyboard_ends_at_once_with_a_plain_message(engine):
    error = outcome(engine, script("def f(): return input('number? ')")).error
    assert error.type == "EOFError"
    assert error.message == "reads keyboard input (input()); the grader gives none"


def test_a_missing_name_is_missing(engine):
    assert outcome(engine, script("g = 1")).ended == Ended.MISSING
    assert outcome(engine, Program((), (), {})).ended == Ended.MISSING


# surroundings


def test_warnings_are_silent_and_never_errors(engine):
    text = """
import warnings, numpy as np
warnings.simplefilter('error'); np.seterr(all='raise')
def f(x):
    for i in range(50): warnings.warn(f'old {i}')
    warnings.simplefilter('error')  # it holds for this call only
    return x * np.inf
"""
    calls = [Call(name, "f", (np.ones(1),)) for name in "ab"]
    result = run(engine, script(text), calls, QUICK)
    assert [reply.ended for reply in result.replies.values()] == [Ended.RETURNED] * 2
    assert all(np.isinf(reply.value).all() for reply in result.replies.values())
    assert result.output == ""


def test_code_that_records_warnings_itself_gets_them(engine):
    text = """
import warnings
def f(x):
    with warnings.catch_warnings(record=True) as caught:
        y = x / 0
    return y, [w.category.__name__ for w in caught]
"""
    replies = run(engine, script(text, "f"), [Call("f", "f", (np.ones(1),))], QUICK).replies
    assert replies["f"].value[1] == ["RuntimeWarning"]


def test_warnings_of_a_gigabyte_in_one_call_take_no_memory(engine):
    text = """
import warnings
def f():
    for i in range(100_000): warnings.warn('x' * 10_000)
    return 1
"""
    assert outcome(engine, script(text), limits=Limits(call=20, memory=256)).value == 1


def test_a_warnings_module_that_is_removed_costs_nothing(engine):
    assert value(engine, "import sys, warnings\ndel sys.modules['warnings']\ndef f(): return 1") == 1


def test_a_warning_that_cannot_be_shown_costs_nothing(engine):
    text = """
import warnings
class Odd(UserWarning):
    bad = False
    def __str__(self): return 1 / 0 if self.bad else 'fine'
def f():
    warnings.warn(Odd('x'))
    Odd.bad = True
    return 1
"""
    assert value(engine, text) == 1


def test_random_numbers_start_afresh_for_each_function(engine):
    text = """
import random, numpy as np
def f():
    return random.random(), np.random.rand()
def g():
    return f()
"""
    replies = run(engine, script(text, "f", "g"), [Call(name, name) for name in "fg"], QUICK).replies
    assert replies["f"].value == replies["g"].value


def test_what_a_call_tells_numpy_to_do_about_errors_ends_with_it(engine):
    text = "import numpy as np\nnp.seterr(all='raise')\ndef f(k):\n    if not k: np.seterr(all='raise')\n"
    text += "    return np.ones(2) / np.zeros(2) if k else 0"
    replies = everything(engine, script(text), *(Call(str(k), "f", (k,)) for k in range(3))).replies
    assert [replies[str(k)].ended for k in range(3)] == [Ended.RETURNED] * 3
    assert np.isinf(replies["2"].value).all()


def test_sets_of_strings_have_the_same_order_in_every_child(engine):
    text = "def f(): return list({str(i) for i in range(50)})"
    assert value(engine, text) == value(engine, text)


def test_what_is_printed_is_kept_head_and_tail(engine):
    text = "import sys\nprint('first')\ndef f():\n    print('x' * 300_000)\n    print('last', file=sys.stderr)"
    result = everything(engine, script(text), limits=Limits(output=2000))
    assert result.output.startswith("first\nxxx")
    assert result.output.rstrip().endswith("last")
    assert "bytes left out" in result.output
    assert len(result.output) < 2200


def test_a_closed_stdout_costs_nothing(engine):
    text = "import sys\nsys.stdout.close(); sys.stderr = []; del sys.stdout\ndef f():\n    return 1"
    assert value(engine, text) == 1


def test_the_current_folder_is_empty_and_may_be_written_to(engine):
    text = """
import os, tempfile, numpy as np
def f():
    before = os.listdir()
    np.save('a.npy', np.arange(3)); open(os.path.join(tempfile.gettempdir(), 'b'), 'w').close()
    return before, sorted(os.listdir()), int(np.load('a.npy').sum()), os.path.expanduser('~') == os.getcwd()
"""
    assert value(engine, text) == ([], ["a.npy", "b"], 3, True)


def test_the_environment_holds_nothing_of_the_graders(engine):
    names = value(engine, "import os, sys\ndef f(): return sorted(os.environ), sys.argv, len(os.listdir('.'))")
    assert {"OPENBLAS_NUM_THREADS", "MPLBACKEND", "HOME"} < set(names[0])
    assert not {"PWD", "USER", "LOGNAME", "PYTEST_CURRENT_TEST", "VIRTUAL_ENV"} & set(names[0])
    assert names[1] == [""]


def test_the_grader_cannot_be_imported(engine):
    text = """
def f(name):
    try:
        __import__(name)
    except ImportError:
        return 'refused'
"""
    names = ["grader", "grader.key", "_room", "_room.shared.wire", "grader.sandbox.shared.wire"]
    calls = [Call(name, "f", (name,)) for name in names]
    assert {reply.value for reply in run(engine, script(text), calls, QUICK).replies.values()} == {"refused"}
    assert value(engine, "import sys\ndef f(): return [n for n in sys.modules if 'room' in n or 'grader' in n]") == []


def test_asyncio_threads_and_lazy_imports_work(engine):
    text = """
def f():
    import asyncio, threading, sqlite3, fractions, numpy.polynomial
    found = []
    thread = threading.Thread(target=lambda: found.append(1)); thread.start(); thread.join()
    async def g(): return 2
    return found + [asyncio.run(g())]
"""
    assert value(engine, text) == [1, 2]


# limits


def test_an_endless_loop_costs_one_call_and_the_function_is_not_tried_again(engine):
    program = script("def f(x):\n    while x: pass\n    return x\ndef g(x): return x", "f", "g")
    calls = [Call("ok", "f", (0,)), Call("endless", "f", (1,)), Call("later", "f", (0,)), Call("g", "g", (7,))]
    replies = run(engine, program, calls, Limits(call=0.3)).replies
    assert [replies[k].ended for k in ("ok", "endless", "later", "g")] == ["returned", "timeout", "skipped", "returned"]
    assert "0.3 s" in replies["endless"].detail
    assert "ran out of time" in replies["later"].detail


def test_a_loop_that_catches_everything_is_ended_from_outside(engine):
    text = """
import signal
for s in range(1, 65):
    try: signal.signal(s, signal.SIG_IGN)
    except (OSError, ValueError): pass
def f():
    while True:
        try:
            while True: pass
        except BaseException: continue
"""
    assert outcome(engine, script(text), limits=Limits(call=0.3)).ended == Ended.TIMEOUT


def test_native_code_is_ended_as_well(engine):
    text = "import numpy as np\ndef f():\n    a = np.ones((3000, 3000))\n    while True: a @ a"
    assert outcome(engine, script(text), limits=Limits(call=0.3)).ended == Ended.TIMEOUT


WRITE_EVERYWHERE = """
import os
def f():
    for fd in range(64):
        try: os.write(fd, b'\\xff' * 99)
        except OSError: pass
"""


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("import os\ndef f(): os._exit(0)", "exit code 0"),
        ("import ctypes\ndef f(): ctypes.string_at(0)", "SIGSEGV"),
        ("import os\ndef f(): os.abort()", "SIGABRT"),
        ("import os\ndef f(): os.closerange(0, 256)", "closed its connection"),
        (WRITE_EVERYWHERE, "wrote to the grader's connection"),
    ],
    ids=["exit", "segfault", "abort", "close", "write"],
)
def test_a_crash_costs_that_call_only(engine, text, detail):
    program = script(text + "\ndef g(): return 1", "f", "g")
    replies = run(engine, program, [Call("g1", "g"), Call("f", "f"), Call("g2", "g")], QUICK).replies
    assert replies["f"].ended == Ended.CRASHED
    assert detail in replies["f"].detail
    assert replies["g1"].value == replies["g2"].value == 1


@pytest.mark.parametrize(
    ("trouble", "ended"), [("import os; os._exit(3)", Ended.CRASHED), ("import time; time.sleep(60)", Ended.TIMEOUT)]
)
def test_functions_that_are_asked_at_once_lose_nothing_to_one_of_them(engine, trouble, ended):
    text = f"asked = []\ndef f(x): asked.append(x); return list(asked)\ndef g(): {trouble}\nh = k = f"
    calls = [Call("f", "f", (1,)), Call("g", "g"), Call("h", "h", (2,)), Call("k", "k", (3,))]
    replies = run(engine, script(text, *"fghk"), calls, Limits(call=0.4)).replies
    assert replies["g"].ended == ended
    # Nobody is asked twice: in the fresh child, h is the first.
    assert [replies[name].value for name in "fhk"] == [[1], [2], [2, 3]]


def test_a_result_is_waited_for_by_the_call_that_needs_it_and_by_those_after_it(engine):
    text = "asked = []\ndef f(x): asked.append(x); return len(asked)\ng = h = f"
    calls = [Call("f", "f", (10,)), Call("g", "g", (Ref("f"),)), Call("h", "h", (30,))]
    replies = run(
        engine, script(text + "\ndef seen(): return asked", *"fgh", "seen"), [*calls, Call("s", "seen")], QUICK
    )
    assert replies.replies["s"].value == [10, 1, 30]


def test_more_arguments_than_go_into_one_message_go_into_several(engine):
    block = np.ones((1024, 512))  # 4 MiB
    text = "def a(x): return float(x.sum())\nb = c = d = a"
    calls = [Call(name, name, (block * k,)) for k, name in enumerate("abcd")]
    replies = run(engine, script(text, *"abcd"), calls, Limits(call=5.0)).replies
    assert [replies[name].value for name in "abcd"] == [k * block.size for k in range(4)]


def test_what_is_too_large_for_the_child_is_charged_to_the_function_that_gets_it(engine):
    calls = [*(Call(f"f{i}", "f", (i,)) for i in range(5)), Call("g", "g", (np.zeros(3 << 20),))]  # 24 MiB
    program = script("def f(x): return x\ndef g(x): return 0", "f", "g")
    replies = run(engine, program, calls, Limits(call=5.0, memory=40)).replies
    assert [replies[f"f{i}"].value for i in range(5)] == [0, 1, 2, 3, 4]


def test_after_a_crash_the_same_function_goes_on_in_a_fresh_child_three_times(engine):
    program = script("import os\ndef f(x):\n    if x: os._exit(1)\n    return x\ncount = 0")
    calls = [Call(str(i), "f", (x,)) for i, x in enumerate((1, 0, 1, 0, 1, 0))]
    replies = run(engine, program, calls, QUICK).replies
    assert [replies[str(i)].ended for i in range(6)] == [
        "crashed", "returned", "crashed", "returned", "crashed", "skipped",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "import numpy as np\ndef f(): return np.ones((10**6, 10**6))",
        "def f(): return [0] * 10**11",
        "import numpy as np\ndef f():\n    keep = []\n    while True: keep.append(np.ones(1 << 22))",
        "def f():\n    keep = []\n    while True: keep.append(bytearray(1 << 20))",
    ],
    ids=["one array", "one list", "many arrays", "many buffers"],
)
def test_more_memory_than_allowed_is_its_own_outcome(engine, text):
    program = script(text + "\ndef g(): return 1", "f", "g")
    replies = run(engine, program, [Call("f", "f"), Call("g", "g")], Limits(call=20.0, memory=256)).replies
    assert replies["f"].ended == Ended.MEMORY
    assert "256 MiB" in replies["f"].detail
    assert replies["g"].value == 1


def test_when_the_submissions_time_is_used_up_the_rest_times_out(engine):
    names = [f"f{i}" for i in range(6)]
    program = script("import time\n" + "".join(f"def {n}(): time.sleep(0.4)\n" for n in names), *names)
    replies = run(engine, program, [Call(n, n) for n in names], Limits(call=5, submission=1.0)).replies
    assert [replies[n].ended for n in names[:2]] == ["returned", "returned"]
    assert {replies[n].ended for n in names[3:]} == {"timeout"}
    assert "time budget of 1 s is used up" in replies["f5"].detail


def test_too_much_written_to_disk_ends_the_child(engine):
    text = """
def f():
    for i in range(10_000):
        with open(str(i), 'wb') as file: file.write(bytes(8 << 20))
"""
    reply = outcome(engine, script(text), limits=Limits(call=20, submission=30))
    assert reply.ended in (Ended.CRASHED, Ended.RAISED)
    assert "MiB to disk" in reply.detail or "space" in reply.error.message


def test_files_share_one_child(engine):
    second = "import first\ndef f():\n    first.hits.append(1)\n    return len(first.hits)"
    program = scripts("f", home="second", first="hits = []", second=second)
    replies = run(engine, program, [Call("a", "f"), Call("b", "f")], QUICK).replies
    assert [replies["a"].value, replies["b"].value] == [1, 2]


def test_a_notebook_and_a_script_are_one_program(engine):
    units = (
        Unit("third_key", "third_key.py", (Cell("def g(): return 1"),)),
        Unit("nb", "nb.ipynb", (Cell("from third_key import g", 1), Cell("def f(): return g() + 1", 2)), notebook=True),
    )
    program = Program(units, ("third_key", "nb"), {"f": "nb", "g": "third_key"})
    assert outcome(engine, program).value == 2


def test_the_report_of_the_isolation_comes_with_the_run(engine):
    result = everything(engine, notebook("def f(): return 1"))
    assert result.isolation["engine"] == engine.name
    assert result.isolation["level"] in ("full", "weak")
    assert (result.isolation["level"] == "full") == (not set(result.isolation["missing"]) - {"memory limit"})


def test_later_calls_are_asked_when_all_others_are_answered(engine):
    text = """
seen = []
TEXT = "before"
def f(x):
    global TEXT
    seen.append(x)
    TEXT = f"after {x}"
    return list(seen)
def g():
    return list(seen)
"""
    calls = [
        Call("f/secret", "f", (7,), later=True),
        Call("f/1", "f", (1,)),
        Call("g/last", "g", later=True),
        Call("g/1", "g"),
        Call("text", "TEXT", constant=True),
    ]
    replies = run(engine, script(text, "f", "g", "TEXT"), calls, QUICK).replies
    assert {name: reply.value for name, reply in replies.items()} == {
        "f/1": [1],
        "g/1": [1],
        "text": "after 1",
        "f/secret": [1, 7],
        "g/last": [1, 7],
    }


def test_a_function_that_ran_out_of_time_is_not_tried_again_later(engine):
    text = "import time\ndef f(x): time.sleep(60)\ndef g(): return 1\n"
    calls = [Call("a", "f", (1,)), Call("g", "g"), Call("b", "f", (2,), later=True)]
    replies = run(engine, script(text, "f", "g"), calls, Limits(call=0.4)).replies
    assert [replies[name].ended for name in "agb"] == [Ended.TIMEOUT, Ended.RETURNED, Ended.SKIPPED]


def test_large_results_are_kept_as_far_as_they_go_and_small_ones_always(engine, monkeypatch):
    monkeypatch.setattr("grader.sandbox.runner.MOST_HELD", 20 << 20)
    text = "import numpy as np\ndef f(k): return np.zeros(1 << 20) if k % 2 else k"
    calls = [Call(str(k), "f", (k,)) for k in range(8)]
    replies = run(engine, script(text), calls, Limits()).replies
    assert [replies[str(k)].value for k in range(0, 8, 2)] == [0, 2, 4, 6]
    kinds = [type(replies[str(k)].value) for k in range(1, 8, 2)]
    assert kinds == [np.ndarray, np.ndarray, Opaque, Opaque]
