"""Starting, ending and repairing engines. Real processes throughout."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from grader.calls import Call, Ended, Limits
from grader.errors import SandboxError, UsageError
from grader.sandbox import ENGINES, folders, open_engine, run
from grader.sandbox.session import make_setup
from grader.sandbox.spawn import SpawnEngine
from grader.sandbox.zygote import ZygoteEngine
from sandbox.conftest import LINUX, alive, descendants
from sandbox.programs import QUICK, everything, outcome, script, value

linux = pytest.mark.skipif(not LINUX, reason="needs /proc")
names = pytest.mark.parametrize("name", [n for n in ENGINES if n != "zygote" or LINUX])

# A grandchild in a session of its own that outlives its parent, and tells its number through the output.
DAEMON = """
import os, time
def daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            print('pid', os.getpid(), flush=True)
            for i in range(300): time.sleep(0.1)   # bounded: 30 s
        os._exit(0)
    os.wait()
    time.sleep(0.1)
"""


def wait_until(condition, seconds=5.0):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()


def pids_printed(result):
    return [int(word) for word in result.output.split() if word.isdigit()]


def open_descriptors():
    return len(list(Path("/proc/self/fd").iterdir()))


def python(text, *args):
    return subprocess.run([sys.executable, "-c", text, *args], capture_output=True, text=True, timeout=60, check=False)


@names
def test_opening_an_engine_does_not_wait_for_numpy(name):
    done = python(
        "import sys; from grader.sandbox import open_engine, run\n"
        "with open_engine(sys.argv[1]): print(sorted({'numpy', 'pydantic', 'click', 'nbformat'} & set(sys.modules)))",
        name,
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")


@names
def test_a_closed_engine_leaves_no_process_and_no_file(name, inside):
    before = descendants() if LINUX else set()
    with open_engine(name) as engine:
        for _ in range(3):
            assert value(engine, "import os\nopen('left', 'w').close()\ndef f(): return len(os.listdir())") == 1
    assert list(inside.iterdir()) == []
    if LINUX:
        assert wait_until(lambda: descendants() <= before)


@names
def test_an_engine_that_was_never_used_closes(name, inside):
    open_engine(name).close()
    assert list(inside.iterdir()) == []


def test_an_unknown_engine_is_named_with_the_known_ones():
    with pytest.raises(UsageError, match=r"'docker'.*spawn, zygote"):
        open_engine("docker")


@linux
@pytest.mark.parametrize("kind", [SpawnEngine, ZygoteEngine])
def test_full_isolation_is_refused_where_it_cannot_be_had(kind):
    with kind(demand="full", confine=False) as engine, pytest.raises(SandboxError, match="--isolation weak"):
        engine.session(QUICK)


@linux
@pytest.mark.parametrize("kind", [SpawnEngine, ZygoteEngine])
def test_the_hello_is_there_before_any_student_code_was_sent(kind):
    with kind() as engine:
        session = engine.session(QUICK)
        assert session.hello["engine"] == engine.name
        assert session.hello["isolation"]["rlimits"]["memory_mib"] == QUICK.memory


@linux
@pytest.mark.parametrize("kind", [SpawnEngine, ZygoteEngine])
def test_timeout_kills_grandchildren(kind):
    with kind(confine=False) as engine:
        text = DAEMON + "def f():\n    daemon()\n    time.sleep(60)\n"
        result = everything(engine, script(text), limits=Limits(call=0.6))
        assert result.replies["f"].ended == Ended.TIMEOUT
        (pid,) = pids_printed(result)
        assert wait_until(lambda: not alive(pid))
        assert value(engine, "def f(): return 1") == 1


@linux
@pytest.mark.parametrize("kind", [SpawnEngine, ZygoteEngine])
def test_a_crash_leaves_no_grandchild_behind(kind):
    with kind(confine=False) as engine:
        result = everything(engine, script(DAEMON + "def f():\n    daemon()\n    os._exit(3)\n"))
        assert result.replies["f"].detail == "exit code 3"
        (pid,) = pids_printed(result)
        assert wait_until(lambda: not alive(pid))


@linux
def test_one_zygote_serves_many_submissions():
    with ZygoteEngine() as engine:
        server = engine._server.process.pid
        assert [value(engine, "def f(x): return x", k) for k in range(4)] == [0, 1, 2, 3]
        assert engine._server.process.pid == server


@linux
@pytest.mark.parametrize(
    # One that was stopped is given up after ten seconds of silence.
    "what",
    [signal.SIGKILL, pytest.param(signal.SIGSTOP, marks=pytest.mark.slow), signal.SIGSEGV],
)
def test_a_harmed_zygote_is_replaced_and_the_next_submission_is_graded(what):
    with ZygoteEngine() as engine:
        assert value(engine, "def f(): return 1") == 1
        server = engine._server.process.pid
        os.kill(server, what)
        assert value(engine, "def f(): return 2") == 2
        assert not alive(server)


@linux
def test_a_zygote_harmed_during_a_submission_costs_one_call(inside):
    text = "import os, signal\ndef f(): os.kill(os.getppid(), signal.SIGKILL)\ndef g(): return 1"
    with ZygoteEngine(confine=False) as engine:
        replies = run(engine, script(text, "f", "g"), [Call("f", "f"), Call("g", "g")], QUICK).replies
        assert replies["f"].ended in (Ended.RETURNED, Ended.CRASHED)  # the signal may come after the reply
        assert replies["g"].value == 1
    assert list(inside.iterdir()) == []


@linux
def test_a_zygote_that_cannot_be_replaced_is_an_error_of_ours(monkeypatch):
    with ZygoteEngine() as engine:
        os.kill(engine._server.process.pid, signal.SIGKILL)
        monkeypatch.setattr("grader.sandbox.interpreter.BOOT", "/nothing/boot.py")
        with pytest.raises(SandboxError, match="grade doctor"):
            outcome(engine, script("def f(): return 1"))


@names
def test_an_interpreter_that_does_not_start_is_an_error_of_ours(name, monkeypatch):
    monkeypatch.setattr("grader.sandbox.interpreter.BOOT", "/nothing/boot.py")
    with open_engine(name) as engine, pytest.raises(SandboxError):
        outcome(engine, script("def f(): return 1"))


@linux
@names
def test_when_the_grader_is_killed_its_children_end(name, inside):
    text = """
import os, sys
from grader.sandbox import open_engine, run
from grader.calls import *
engine = open_engine(sys.argv[1])
program = Program((Unit("w", "w.py", (Cell("def f():\\n    while True: pass"),)),), ("w",), {"f": "w"})
print(os.getpid(), flush=True)
run(engine, program, [Call("f", "f")], Limits(call=60, submission=60))
"""
    with subprocess.Popen([sys.executable, "-c", text, name], stdout=subprocess.PIPE, text=True) as grader:
        int(grader.stdout.readline())
        assert wait_until(lambda: busy_below(grader.pid), 20)
        below = descendants_of(grader.pid)
        grader.kill()
    assert wait_until(lambda: not any(alive(pid) for pid in below))


def descendants_of(pid):
    from grader.sandbox.processes import descendants as below

    return below(pid)


def busy_below(pid):
    """Whether some descendant has used a third of a second of processor time beyond its start."""
    ticks = os.sysconf("SC_CLK_TCK")
    for each in descendants_of(pid):
        try:
            used = int(Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()[11]) / ticks
        except OSError:
            continue
        if used > 1.0:
            return True
    return False


STOPPED = """
import signal, sys
from grader.sandbox import open_engine, run
from grader.calls import *
signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))
name, moment = sys.argv[1:]
loop = "print(1)\\nopen('left', 'w').close()\\ndef f():\\n    while True: pass"
program = Program((Unit("w", "w.py", (Cell(loop),)),), ("w",), {"f": "w"})
with open_engine(name) as engine:
    if moment == "asked":
        engine.isolation()
    print("ready", flush=True)
    if moment == "calling":
        run(engine, program, [Call("f", "f")], Limits(call=60, submission=60))
    signal.pause()
"""


@linux
@names
@pytest.mark.parametrize("moment", ["opened", "asked", "calling"])
def test_an_engine_that_is_left_by_an_exit_removes_everything(name, moment, inside):
    with subprocess.Popen([sys.executable, "-c", STOPPED, name, moment], stdout=subprocess.PIPE, text=True) as grader:
        assert grader.stdout.readline() == "ready\n"
        if moment == "calling":
            assert wait_until(lambda: list(inside.rglob("left")), 20)
        below = descendants_of(grader.pid)
        grader.terminate()
        assert grader.wait(20) == 7
    assert list(inside.iterdir()) == []
    assert wait_until(lambda: not any(alive(pid) for pid in below))


LITTER = """
import os
for name in ("new\\nline", "\\udcff", "-rf", ".hidden"):
    os.mkdir(name)
    open(name + "/file", "w").close()
os.link(".hidden/file", "link")
os.mkdir("closed", 0)
os.symlink(os.getcwd(), "loop") if %r else None
def f(): return sorted(os.listdir("."))
"""


@linux
@pytest.mark.parametrize("confine", [True, False], ids=["confined", "not confined"])
def test_a_child_finds_nothing_of_the_one_before(confine, inside):
    with ZygoteEngine(confine=confine) as engine:
        for _ in range(2):
            assert len(value(engine, LITTER % (not confine))) == 6 + (not confine)
            assert value(engine, "import os\ndef f(): return os.listdir('.'), os.listdir(os.environ['TMPDIR'])") == (
                [],
                [],
            )
    assert list(inside.iterdir()) == []


SHARED = """
import fcntl, os
def f():
    told = [fcntl.fcntl(n, fcntl.F_GETFL) for n in range(3)]
    for n in range(3):
        fcntl.fcntl(n, fcntl.F_SETFL, os.O_NONBLOCK | os.O_APPEND)
    return told
"""


@linux
def test_children_share_no_open_file():
    with ZygoteEngine() as engine:
        first = value(engine, SHARED)
        assert [value(engine, SHARED) for _ in range(2)] == [first] * 2


@linux
def test_a_folder_that_grew_too_large_is_given_up(inside, monkeypatch):
    monkeypatch.setattr(folders, "MAX_EMPTY", 1 << 14)
    many = "def f():\n    for k in range(2000): open(f'{k:0200}', 'w').close()\n    return 1"
    with ZygoteEngine() as engine:
        server = engine._server
        assert outcome(engine, script(many), limits=Limits(call=20.0)).value == 1
        grew = Path(server.folder).stat().st_size > 1 << 14
        assert value(engine, "import os\ndef f(): return os.listdir('.')") == []
        assert (engine._server is not server) == grew  # not every file system lets a folder grow
    assert list(inside.iterdir()) == []


@linux
def test_stopping_that_is_interrupted_can_be_done_again(inside, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    engine = ZygoteEngine()
    assert value(engine, "def f(): return 1") == 1
    with monkeypatch.context() as patch:
        patch.setattr("grader.sandbox.processes.end_group", interrupt)
        with pytest.raises(KeyboardInterrupt):
            engine.close()
    assert list(inside.iterdir()) == []
    pid = engine._server.process.pid
    engine.close()
    engine.close()
    assert not alive(pid)


@linux
def test_a_server_whose_folder_was_taken_away_is_replaced(inside):
    text = "import os\nhere = os.getcwd()\nos.rename(here, here + '.away')\nos.symlink('/', here)\ndef f(): return 1"
    with ZygoteEngine(confine=False) as engine:
        server = engine._server.process.pid
        assert value(engine, text) == 1
        assert value(engine, "import os\ndef f(): return os.listdir('.')") == []
        assert not alive(server)


# what goes wrong in between leaves nothing behind


@linux
@names
def test_a_process_that_cannot_be_started_leaves_no_folder_and_no_socket(name, inside, monkeypatch):
    def refuse(*_args, **_named):
        raise OSError(11, "Resource temporarily unavailable")

    before = open_descriptors()
    with monkeypatch.context() as patch:
        patch.setattr("subprocess.Popen", refuse)
        with pytest.raises(OSError, match="temporarily"):
            open_engine(name)
    assert list(inside.iterdir()) == []
    assert open_descriptors() == before


@linux
def test_a_spare_that_cannot_be_started_takes_the_child_with_it(inside, monkeypatch):
    with SpawnEngine() as engine:
        assert value(engine, "def f(): return 1") == 1

        def refuse():
            raise OSError(11, "Resource temporarily unavailable")

        with monkeypatch.context() as patch:
            patch.setattr(engine, "_start", refuse)
            with pytest.raises(OSError, match="temporarily"):
                engine.session(QUICK)
            assert list(inside.iterdir()) == []
        assert value(engine, "def f(): return 2") == 2
    assert list(inside.iterdir()) == []


@linux
def test_an_interruption_after_the_fork_ends_the_child(inside, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    with ZygoteEngine() as engine:
        assert value(engine, "def f(): return 1") == 1
        before = open_descriptors()
        with monkeypatch.context() as patch:
            patch.setattr("grader.sandbox.handles.hold", interrupt)
            with pytest.raises(KeyboardInterrupt):
                engine.fresh(make_setup(QUICK, selftest=False))
        assert descendants_of(engine._server.process.pid) == []
        assert open_descriptors() == before
        assert value(engine, "def f(): return 2") == 2
    assert list(inside.iterdir()) == []


@linux
def test_an_answer_that_nobody_waited_for_is_not_taken_for_another(inside, monkeypatch):
    from grader.sandbox.zygote import Server

    def interrupt(*_):
        raise KeyboardInterrupt

    with ZygoteEngine() as engine:
        assert value(engine, "def f(): return 1") == 1
        server = engine._server
        with monkeypatch.context() as patch:
            patch.setattr(Server, "hear", interrupt)
            with pytest.raises(KeyboardInterrupt):
                engine.fresh(make_setup(QUICK, selftest=False))
        assert value(engine, "def f(): return 2") == 2
        assert not alive(server.process.pid)
    assert list(inside.iterdir()) == []


@names
def test_a_child_that_is_interrupted_before_its_hello_is_ended_with_the_engine(name, inside, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    with open_engine(name) as engine, monkeypatch.context() as patch:
        patch.setattr("grader.sandbox.session.Session.receive", interrupt)
        with pytest.raises(KeyboardInterrupt):
            engine.session(QUICK)
        pid = engine.current.child.pid
    assert list(inside.iterdir()) == []
    assert not LINUX or not alive(pid)


def test_what_a_self_test_left_beside_a_folder_is_removed_with_it(inside):
    folder = folders.make()
    Path(folders.canary(folder)).touch()
    folders.remove(folder)
    folders.remove(folder)
    assert list(inside.iterdir()) == []


@names
def test_two_threads_with_an_engine_each_do_not_disturb_each_other(name):
    found = {}

    def work(number):
        with open_engine(name) as engine:
            found[number] = [value(engine, f"def f(x): return x * {number}", i) for i in range(4)]

    threads = [threading.Thread(target=work, args=(n,)) for n in (2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {2: [0, 2, 4, 6], 3: [0, 3, 6, 9]}


def test_what_one_submission_changes_the_next_one_does_not_see(engine):
    text = """
import numpy as np, builtins, os, sys, math
np.exp = np.array = np.ndarray = None; builtins.sum = None; math.pi = 3; sys.modules['json'] = None
os.environ['LEFT'] = '1'; os.chdir('/'); sys.setrecursionlimit(50)
def f(x): return x
"""
    assert list(value(engine, text, np.arange(3))) == [0, 1, 2]
    text = """
import numpy as np, os, math, json
def f(): return float(np.exp(0.0)), sum([1]), math.pi > 3, os.environ.get('LEFT'), os.getcwd() == os.environ['HOME']
"""
    assert value(engine, text) == (1.0, 1, True, None, True)


@linux
@names
def test_what_whoever_starts_the_grader_ignores_or_blocks_changes_no_answer(name):
    work = script("import os, signal\ndef f(): os.kill(os.getpid(), signal.SIGTERM)")
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGCHLD, signal.SIGTERM)}
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTERM,))
    try:
        engine = open_engine(name)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        for number, handler in before.items():
            signal.signal(number, handler)
    with engine:
        reply = outcome(engine, work)
    assert (reply.ended, reply.detail) == (Ended.CRASHED, "signal 15 (SIGTERM)")
