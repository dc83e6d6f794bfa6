"""What befalls a child, or the process that starts children, costs nobody a mark. Real signals, to own processes."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter

import pytest

from grader.calls import Call, Ended, Limits
from grader.errors import SandboxError
from grader.sandbox import run
from grader.sandbox.limits import ALONE, STARTS
from grader.sandbox.session import Session
from grader.sandbox.spawn import SpawnEngine
from grader.sandbox.zygote import Server, ZygoteEngine
from sandbox.conftest import LINUX
from sandbox.programs import notebook, script

if not LINUX:
    pytest.skip("signals and /proc", allow_module_level=True)

# Most of these wait for a clock. What Linux uses is tried each time, the other engine in the slow tier.
KINDS = [pytest.param(SpawnEngine, marks=pytest.mark.slow), ZygoteEngine]
kinds = pytest.mark.parametrize("kind", KINDS)
LIMITS = Limits(call=5.0, load=10.0, submission=60.0)
# Each call takes a while, so that a signal meets it.
PROGRAM = script(
    """
import time
time.sleep(0.05)
asked = []
def f(x):
    time.sleep(0.05)
    asked.append(x)
    return list(asked)
g = f
""",
    "f",
    "g",
)
CALLS = [Call("f/1", "f", (1,)), Call("g/1", "g", (2,)), Call("g/2", "g", (3,)), Call("f/2", "f", (4,), later=True)]
UNDISTURBED = {"f/1": [1], "g/1": [1, 2], "g/2": [1, 2, 3], "f/2": [1, 2, 3, 4]}


class Trouble:
    """Sends a signal to a child, or to the server of the zygote engine, at a moment of the conversation."""

    def __init__(self, patch, moment, times=1, what=signal.SIGKILL, *, server=False, stop=0.0):
        self.moment, self.left, self.what, self.server = moment, times, signal.SIGSTOP if stop else what, server
        self.stop, self.timers = stop, []
        real_greet, real_send = Session.greet, Session.send

        def greet(session):
            self.strike("start", session)
            real_greet(session)

        def send(session, message, allowance):
            real_send(session, message, allowance)
            self.strike(message["do"], session)

        patch.setattr(Session, "greet", greet)
        patch.setattr(Session, "send", send)

    def strike(self, moment, session):
        if moment == self.moment and self.left:
            self.left -= 1
            pid = self.engine._server.process.pid if self.server else session.child.pid
            os.kill(pid, self.what)
            if self.stop:
                self.timers.append(threading.Timer(self.stop, os.kill, (pid, signal.SIGCONT)))
                self.timers[-1].start()


def values(result):
    return {name: reply.value for name, reply in result.replies.items()}


@kinds
@pytest.mark.parametrize("moment", ["start", "load", "call"])
@pytest.mark.parametrize("times", [1, 2])
def test_a_child_that_was_killed_costs_nothing(kind, moment, times, monkeypatch):
    with kind() as engine:
        trouble = Trouble(monkeypatch, moment, times)
        assert values(run(engine, PROGRAM, CALLS, LIMITS)) == UNDISTURBED or times > 1
        assert trouble.left == 0
        assert values(run(engine, PROGRAM, CALLS, LIMITS)) == UNDISTURBED


@pytest.mark.parametrize("times", range(1, ALONE + 2))
@pytest.mark.parametrize("moment", [pytest.param("load", marks=pytest.mark.slow), "call"])
def test_as_long_as_one_try_is_left_the_work_has_its_answers(moment, times, monkeypatch):
    program = script("import time\ntime.sleep(0.05)\ndef f(x):\n    time.sleep(0.05)\n    return x")
    with ZygoteEngine() as engine:
        Trouble(monkeypatch, moment, times)
        result = run(engine, program, [Call(str(k), "f", (k,)) for k in range(3)], LIMITS)
        assert values(result) == {"0": 0, "1": 1, "2": 2}
        assert {reply.flag for reply in result.replies.values()} == {""}
        assert result.loads == ()


@kinds
@pytest.mark.parametrize("moment", ["start", "load", "call"])
def test_a_child_that_is_killed_each_time_is_an_error_of_ours(kind, moment, monkeypatch):
    with kind(demand="full") as engine:
        Trouble(monkeypatch, moment, 1000)
        # A kill at the start may come when the child is ready already.
        early = "ended before it was ready|was lost" if moment == "start" else "says nothing about"
        with pytest.raises(SandboxError, match=early):
            run(engine, PROGRAM, CALLS, LIMITS)


@kinds
def test_what_comes_back_each_time_is_the_works_where_the_system_cannot_tell_and_is_flagged(kind):
    text = (
        "import os, signal\ndef f(x):\n    if x: os.kill(os.getpid(), signal.SIGKILL)\n    return x\ndef g(): return 1"
    )
    calls = [Call("f/0", "f", (0,)), Call("f/1", "f", (1,)), Call("g", "g")]
    with kind(confine=False) as engine:
        replies = run(engine, script(text, "f", "g"), calls, LIMITS).replies
    assert (replies["f/0"].value, replies["g"].value) == (0, 1)
    assert replies["f/1"].ended is Ended.CRASHED
    assert "SIGKILL" in replies["f/1"].detail
    assert "the system cannot tell who did that" in replies["f/1"].flag


@kinds
def test_a_cell_that_kills_its_process_each_time_is_left_out_and_flagged_where_the_system_cannot_tell(kind):
    cells = ("def f(): return 1", "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", "def g(): return 2")
    with kind(confine=False) as engine:
        calls = [Call("f", "f"), Call("g", "g")]
        result = run(engine, notebook(*cells, names=("f", "g")), calls, LIMITS)
    assert values(result) == {"f": 1, "g": 2}
    (load,) = result.loads
    assert (load.cell, load.ended) == (2, Ended.CRASHED)
    assert load.flag


@kinds
def test_a_child_cannot_kill_or_stop_itself_so_nobody_takes_it_for_somebody_else(kind):
    text = """
import ctypes, os, signal, threading
def f(how, number):
    try:
        if how == "kill": os.kill(os.getpid(), number)
        elif how == "thread": signal.pthread_kill(threading.get_ident(), number)
        elif ctypes.CDLL(None, use_errno=True).timer_create(1, None, None): raise OSError(ctypes.get_errno(), "")
    except OSError as error:
        return error.errno
"""
    ways = [("kill", n) for n in (9, 19, 20, 21, 22)] + [("thread", 9), ("thread", 19), ("timer", 0)]
    with kind(demand="full") as engine:
        replies = run(engine, script(text), [Call(f"{how}{n}", "f", (how, n)) for how, n in ways], LIMITS).replies
    assert {reply.value for reply in replies.values()} == {1}


@pytest.mark.parametrize("what", [signal.SIGKILL, signal.SIGSEGV])
@pytest.mark.parametrize("moment", ["start", "load", "call"])
def test_a_zygote_that_was_killed_costs_nothing(moment, what, monkeypatch):
    with ZygoteEngine() as engine:
        trouble = Trouble(monkeypatch, moment, 1, what, server=True)
        trouble.engine = engine
        assert values(run(engine, PROGRAM, CALLS, LIMITS)) == UNDISTURBED
        assert trouble.left == 0


def test_a_zygote_that_is_killed_each_time_is_an_error_of_ours(monkeypatch):
    with ZygoteEngine() as engine:
        trouble = Trouble(monkeypatch, "call", 1000, server=True)
        trouble.engine = engine
        with pytest.raises(SandboxError, match=r"lost as well, while `f` was called.*says nothing about"):
            run(engine, PROGRAM, CALLS, LIMITS)


@kinds
@pytest.mark.parametrize(
    "moment", [*(pytest.param(each, marks=pytest.mark.slow) for each in ("start", "load")), "call"]
)
@pytest.mark.parametrize("seconds", [1.5, pytest.param(3.0, marks=pytest.mark.slow)])
def test_a_child_that_was_stopped_loses_nothing(kind, moment, seconds, monkeypatch):
    with kind() as engine:
        engine.isolation()
        trouble = Trouble(monkeypatch, moment, stop=seconds)
        limits = Limits(call=seconds / 2, load=seconds / 2, submission=seconds * 0.8)
        assert values(run(engine, PROGRAM, CALLS, limits)) == UNDISTURBED
        assert all(timer.finished.is_set() for timer in trouble.timers)
        assert trouble.left == 0


@pytest.mark.parametrize("moment", [pytest.param("load", marks=pytest.mark.slow), "call"])
def test_a_zygote_that_was_stopped_goes_on(moment, monkeypatch):
    with ZygoteEngine() as engine:
        engine.isolation()
        server = engine._server.process.pid
        trouble = Trouble(monkeypatch, moment, stop=1.5, server=True)
        trouble.engine = engine
        for _ in range(2):
            assert values(run(engine, PROGRAM, CALLS, LIMITS)) == UNDISTURBED
        assert engine._server.process.pid == server


@kinds
@pytest.mark.slow
def test_a_child_that_stays_stopped_is_an_error_of_ours(kind, monkeypatch):
    monkeypatch.setattr("grader.sandbox.clock.CEILING", 1)
    monkeypatch.setattr("grader.sandbox.clock.LEAST_CEILING", 0.6)
    with kind(demand="full") as engine:
        Trouble(monkeypatch, "call", 1000, signal.SIGSTOP)
        with pytest.raises(SandboxError, match="it was stopped for 1 s, while `f` was called"):
            run(engine, PROGRAM, CALLS, Limits(call=0.3))


@kinds
def test_a_grader_that_was_stopped_itself_blames_nobody(kind):
    """The child goes on meanwhile: it has used more than the time of one call, in several calls."""
    program = """
import sys
from grader.calls import *
from grader.sandbox import open_engine, run
text = "from time import process_time as t\\ndef f(x):\\n    end = t() + 0.2\\n    while t() < end: pass\\n    return x"
program = Program((Unit("w", "w.py", (Cell(text),)),), ("w",), {"f": "w"})
with open_engine(sys.argv[1]) as engine:
    engine.isolation()
    print("ready", flush=True)
    replies = run(engine, program, [Call(str(k), "f", (k,)) for k in range(8)], Limits(call=0.5)).replies
print([reply.value for reply in replies.values()])
"""
    words = [sys.executable, "-c", program, kind.name]
    with subprocess.Popen(words, stdout=-1, stderr=-1, text=True) as grader:
        assert grader.stdout.readline() == "ready\n"
        time.sleep(0.3)
        grader.send_signal(signal.SIGSTOP)
        time.sleep(1.5)
        grader.send_signal(signal.SIGCONT)
        told = grader.communicate(timeout=60)
    assert told == ("[0, 1, 2, 3, 4, 5, 6, 7]\n", "")


# the child's own doing


@kinds
@pytest.mark.parametrize("ignoring", [False, True])
def test_a_child_that_used_up_its_processor_time_is_told_from_one_that_was_killed(kind, ignoring, monkeypatch):
    for module in ("session", "losses"):
        monkeypatch.setattr(f"grader.sandbox.{module}.processor_limit", lambda _: 1)
    text = (
        "import signal\n"
        + "signal.signal(signal.SIGXCPU, signal.SIG_IGN)\n" * ignoring
        + "def f():\n    while True: pass"
    )
    with kind() as engine:
        engine.isolation()
        reply = run(engine, script(text), [Call("f", "f")], Limits(call=30)).replies["f"]
    assert (reply.ended, reply.detail, reply.flag) == (Ended.TIMEOUT, "it used up its processor time", "")


@pytest.mark.slow
def test_a_child_that_is_killed_near_its_memory_limit_each_time_ran_out_of_memory(monkeypatch):
    text = """
import time
def f():
    keep = bytearray(b'x') * (180 << 20)
    print('full', flush=True)
    time.sleep(60)
"""
    real = Session._watch

    def watch(session):
        session.channel.drain()
        if "full" in session.printed():
            os.kill(session.child.pid, signal.SIGKILL)
        return real(session)

    monkeypatch.setattr(Session, "_watch", watch)
    with ZygoteEngine(demand="full") as engine:
        reply = run(engine, script(text), [Call("f", "f")], Limits(call=20, memory=256)).replies["f"]
    assert reply.ended is Ended.MEMORY
    assert "256 MiB" in reply.detail
    assert reply.flag


SHORT = """
import os
def short(place):
    if not os.path.exists(place):  # as on a machine that has no memory for a moment
        os.mkdir(place)
        raise MemoryError
"""


@kinds
def test_a_machine_without_memory_for_a_moment_costs_nothing(kind, tmp_path):
    place = str(tmp_path / "short")
    with kind(confine=False) as engine:
        program = script(SHORT + "def f(place):\n    short(place)\n    return 1")
        assert run(engine, program, [Call("f", "f", (place,))], LIMITS).replies["f"].value == 1
        result = run(engine, script(SHORT + f"short({place + '2'!r})\ndef f(): return 1"), [Call("f", "f")], LIMITS)
        assert (result.replies["f"].value, result.loads) == (1, ())


@kinds
@pytest.mark.parametrize("where", ["load", "call"])
def test_work_that_asks_for_too_much_memory_asks_for_it_again(kind, where):
    too_much = "np.ones((1 << 20, 1 << 20))"
    text = "import numpy as np\n" + (too_much if where == "load" else "") + f"\ndef f(): return {too_much}"
    with kind() as engine:
        result = run(engine, script(text), [Call("f", "f")], LIMITS)
    assert result.replies["f"].ended is (Ended.LOST if where == "load" else Ended.MEMORY)
    assert [load.ended for load in result.loads] == ([Ended.MEMORY] if where == "load" else [])


@kinds
@pytest.mark.parametrize("how", ["os._exit(3)", "os.abort()"])
def test_an_answer_on_its_way_is_read_although_another_function_ends_the_process(kind, how):
    text = f"import os\ndef f(): {how}\ndef g(): return 1\ndef h(): return 2"
    calls = [Call("g1", "g"), Call("g2", "g"), Call("f", "f"), Call("h", "h")]
    seen = Counter()
    with kind(confine=False) as engine:
        for _ in range(5):
            replies = run(engine, script(text, *"fgh"), calls, LIMITS).replies
            seen += Counter((name, str(reply.ended)) for name, reply in replies.items())
    assert seen == {("g1", "returned"): 5, ("g2", "returned"): 5, ("f", "crashed"): 5, ("h", "returned"): 5}


# starting


@kinds
def test_a_self_test_that_was_disturbed_is_made_again(kind, monkeypatch):
    disturbed, real = [2], kind.tests

    def tests(engine, hello):
        disturbed[0] -= 1
        return {"run": "disturbed"} if disturbed[0] >= 0 else real(engine, hello)

    monkeypatch.setattr(kind, "tests", tests)
    with kind(demand="full") as engine:
        assert engine.isolation()["level"] == "full"


@kinds
def test_a_self_test_that_is_disturbed_each_time_is_no_reason_to_lower_the_isolation(kind, monkeypatch):
    monkeypatch.setattr(kind, "tests", lambda *_: {"run": "disturbed"})
    with kind(demand="full") as engine, pytest.raises(SandboxError, match="did not come to its end") as caught:
        engine.isolation()
    assert "weak" not in str(caught.value)


SELF_TEST = """
import importlib.util, json, os, signal, sys
sys.path.insert(0, sys.argv[1])
from grader.sandbox.child import selftest
moment, times = sys.argv[2], int(sys.argv[3])
def left():
    return times - len(os.listdir("struck"))
def strike():
    if left() > 0:
        open(f"struck/{os.getpid()}", "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
def confine():
    refuse = lambda *_: (_ for _ in ()).throw(PermissionError())
    real = os.write
    selftest._attempts = lambda *_: {"read": refuse}
    if moment == "first":
        strike()
    os.kill = lambda pid, number: strike_then_refuse()
def strike_then_refuse():
    if left() > 0:
        open(f"struck/{os.getpid()}", "w").close()
        signal.raise_signal(signal.SIGKILL)
    raise PermissionError
os.mkdir("struck")
print(json.dumps(selftest.run(confine)), sorted(os.listdir("..")))
"""


@pytest.mark.parametrize(
    ("moment", "times", "expected"),
    [
        ("first", 0, {"read": "refused", "kill itself": "refused"}),
        ("first", 1, {"read": "refused", "kill itself": "refused"}),
        ("first", 2, {"read": "refused", "kill itself": "refused"}),
        ("first", 3, {"run": "disturbed"}),
        ("last", 2, {"read": "refused", "kill itself": "refused"}),
        ("last", 3, {"read": "refused", "kill itself": "allowed"}),
    ],
)
def test_a_fork_that_was_killed_in_its_self_test_says_nothing(moment, times, expected, tmp_path, root):
    (tmp_path / "inner").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", SELF_TEST, str(root), moment, str(times)],
        cwd=tmp_path / "inner", capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    told, _, left = done.stdout.partition("}")
    assert json.loads(told + "}") == expected
    assert left == " ['inner']\n"  # no canary


def test_a_server_that_is_lost_each_time_it_starts_is_an_error_of_ours(monkeypatch):
    started = []

    def wait_until_ready(server):
        started.append(server)
        server.process.kill()
        return real(server)

    real = Server.wait_until_ready
    monkeypatch.setattr(Server, "wait_until_ready", wait_until_ready)
    with ZygoteEngine() as engine, pytest.raises(SandboxError, match="grade doctor"):
        engine.isolation()
    assert len(started) == STARTS


def test_a_server_that_was_lost_while_it_started_costs_nothing(monkeypatch):
    left, real = [STARTS - 1], Server.wait_until_ready

    def wait_until_ready(server):
        if left[0]:
            left[0] -= 1
            server.process.kill()
        return real(server)

    monkeypatch.setattr(Server, "wait_until_ready", wait_until_ready)
    with ZygoteEngine() as engine:
        assert values(run(engine, PROGRAM, CALLS, LIMITS)) == UNDISTURBED


# the machine


BURN = """
import time
def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end: pass
burn({load})
def f(seconds):
    burn(seconds)
    return seconds
"""


@pytest.fixture
def busy():
    """Four loops on whatever processors there are."""
    loops = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(4)]
    yield
    for loop in loops:
        loop.kill()
        loop.wait()


@kinds
@pytest.mark.slow
def test_right_work_keeps_its_answers_on_a_busy_machine(kind, busy):
    limits = Limits(call=0.5, load=1.0, submission=4.0)
    with kind() as engine:
        calls = [Call(str(k), "f", (0.35,)) for k in range(3)]
        result = run(engine, script(BURN.format(load=0.7)), calls, limits)
    assert [reply.value for reply in result.replies.values()] == [0.35] * 3
    assert result.loads == ()


@kinds
def test_an_endless_loop_ends_when_its_processor_time_is_used_up(kind, monkeypatch):
    ends, real = [], Session.close

    def close(session, grace=0.0):
        ends.append(real(session, grace))
        return ends[-1]

    monkeypatch.setattr(Session, "close", close)
    with kind() as engine:
        engine.isolation()
        ends.clear()
        began = time.monotonic()
        reply = run(engine, script("def f():\n    while True: pass"), [Call("f", "f")], Limits(call=1.0)).replies["f"]
        assert (reply.ended, reply.detail) == (Ended.TIMEOUT, "it used 1 s of processor time")
        assert time.monotonic() - began < 30
    assert 0.9 < max(end.computed for end in ends) < 2.0 + (kind is SpawnEngine)  # it imports NumPy, too


@kinds
def test_a_sleeping_call_ends_at_its_limit_on_the_clock(kind):
    with kind() as engine:
        engine.isolation()
        began = time.monotonic()
        program = script("import time\ndef f(): time.sleep(60)")
        reply = run(engine, program, [Call("f", "f")], Limits(call=1.0)).replies["f"]
        assert (reply.ended, reply.detail) == (Ended.TIMEOUT, "it waited longer than 1 s")
        assert time.monotonic() - began < 8


@kinds
def test_a_disk_that_somebody_else_fills_costs_nobody_a_mark(kind, monkeypatch, tmp_path):
    """What is written by others looks as if the child had written it, to files without a name, until it has ended."""
    monkeypatch.setattr("grader.sandbox.watch.DISK", 8)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    program = script("import time\ndef f():\n    time.sleep(0.8)\n    return 1")

    def write():
        (tmp_path / "large").write_bytes(os.urandom(32 << 20))

    with kind() as engine:
        engine.isolation()
        writer = threading.Timer(0.1, write)
        writer.start()
        assert run(engine, program, [Call("f", "f")], LIMITS).replies["f"].value == 1
        writer.join()


@kinds
def test_files_without_a_name_are_the_childs_own_doing_when_the_space_comes_back_with_its_end(kind, monkeypatch):
    monkeypatch.setattr("grader.sandbox.watch.DISK", 64)
    text = """
import os, time
def f():
    for _ in range(8):
        handle = os.open("x", os.O_RDWR | os.O_CREAT)
        os.write(handle, bytes(32 << 20))
        os.unlink("x")
    time.sleep(5)
"""
    with kind() as engine:
        reply = run(engine, script(text), [Call("f", "f")], Limits(call=20)).replies["f"]
    assert reply.ended is Ended.CRASHED
    assert "in files without a name" in reply.detail
    assert reply.flag == ""
