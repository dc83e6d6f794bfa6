"""Processes of others, with a descriptor of the process and on systems that have none."""

import errno
import os
import signal
import subprocess
import sys

import pytest

from sandbox.conftest import LINUX

if not LINUX:
    pytest.skip("Linux only", allow_module_level=True)

from grader.calls import Call, Ended
from grader.sandbox import handles, run
from grader.sandbox.zygote import ZygoteEngine
from sandbox.programs import QUICK, everything, outcome, script, value


@pytest.fixture(params=["missing", "ENOSYS", "EPERM"])
def without(request, monkeypatch):
    """Take descriptors of processes away, as some builds of Python, kernels and containers do."""
    if request.param == "missing":
        monkeypatch.delattr(os, "pidfd_open", raising=False)
        monkeypatch.delattr(signal, "pidfd_send_signal", raising=False)
        return

    def refuse(*_):
        number = getattr(errno, request.param)
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "pidfd_open", refuse, raising=False)


@pytest.fixture
def sleeper():
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as process:
        yield process
        process.kill()


@pytest.mark.slow
def test_submissions_are_graded_without_descriptors_of_processes(without):
    with ZygoteEngine() as engine:
        assert isinstance(handles.hold(os.getpid(), lambda: False), handles.Number)
        assert value(engine, "def f(x): return x + 1", 1) == 2
        assert outcome(engine, script("import os\ndef f(): os._exit(3)")).detail == "exit code 3"
        loop = "def f():\n    while True: print('x' * 100_000)"
        assert outcome(engine, script(loop)).ended == Ended.TIMEOUT
        assert value(engine, "def f(x): return x + 1", 2) == 3


def test_a_child_that_ended_is_noticed_although_what_it_started_holds_the_connection(without):
    text = """
import os, time
def f():
    if os.fork() == 0:
        time.sleep(20)
        os._exit(0)
    os._exit(3)
"""
    with ZygoteEngine(confine=False) as engine:
        assert outcome(engine, script(text)).detail == "exit code 3"
        assert value(engine, "def f(): return 1") == 1


def test_a_server_that_is_killed_is_replaced_without_descriptors_as_well(without, inside):
    text = "import os, signal\ndef f(): os.kill(os.getppid(), signal.SIGKILL)\ndef g(): return 1"
    with ZygoteEngine(confine=False) as engine:
        replies = run(engine, script(text, "f", "g"), [Call("f", "f"), Call("g", "g")], QUICK).replies
        assert replies["g"].value == 1
        assert everything(engine, script("def f(): return 2")).replies["f"].value == 2
    assert list(inside.iterdir()) == []


def test_the_zygote_waits_for_a_child_without_descriptors_of_processes(monkeypatch):
    from grader.sandbox.child import forkserver

    monkeypatch.delattr(os, "pidfd_open", raising=False)
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    assert forkserver._wait(pid, 10.0)
    os.waitpid(pid, 0)
    alive = os.fork()
    if alive == 0:
        signal.pause()
    assert not forkserver._wait(alive, 0.01)
    os.kill(alive, signal.SIGKILL)
    os.waitpid(alive, 0)


def test_a_descriptor_tells_when_the_process_has_ended(sleeper):
    handle = handles.hold(sleeper.pid, lambda: False)
    if not isinstance(handle, handles.Descriptor):
        pytest.skip("no descriptors of processes here")
    assert not handle.has_ended()
    handle.kill()
    assert sleeper.wait() == -signal.SIGKILL
    assert handle.has_ended()
    handle.close()
    handle.close()
    handle.kill()


def test_a_number_is_killed_only_if_it_still_names_the_same_process(sleeper, without):
    handle = handles.hold(sleeper.pid, lambda: False)
    handles.Number(sleeper.pid, b"1", lambda: False).kill()
    handles.Number(sleeper.pid, b"", lambda: False).kill()
    assert sleeper.poll() is None
    handle.kill()
    assert sleeper.wait() == -signal.SIGKILL
    handle.kill()
    handle.close()
